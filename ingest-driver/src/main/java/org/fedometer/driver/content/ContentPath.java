package org.fedometer.driver.content;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How the bytes of a datastream get into Fedora. */
public enum ContentPath {
  /** Managed content in the request itself: base64 in FOXML, raw in a separate request. */
  IN_REQUEST('M'),
  /** XML as inline XML; other content, and XML that cannot be inlined, as {@link #IN_REQUEST}. */
  INLINE_XML('X'),
  /** Managed content that Fedora fetches from the driver's content server. */
  URL('M'),
  /** Managed content that is sent to Fedora's upload servlet first. */
  UPLOAD('M'),
  /** Content that stays on the driver's content server; Fedora passes it on. */
  EXTERNAL('E'),
  /** Content that stays on the driver's content server; Fedora redirects clients there. */
  REDIRECT('R');

  private final char controlGroup;

  ContentPath(char controlGroup) {
    this.controlGroup = controlGroup;
  }

  /** Returns the name used on the command line and in the record of a run. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static List<String> ids() {
    return Arrays.stream(values()).map(ContentPath::id).toList();
  }

  /**
   * @throws IllegalArgumentException listing the valid names
   */
  public static ContentPath named(String id) {
    return Arrays.stream(values())
        .filter(path -> path.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + id
                        + "' is not a path for content; expected one of "
                        + String.join(", ", ids())));
  }

  /**
   * Returns Fedora's control group: M for managed content, X for inline XML, E and R for external
   * content.
   */
  char controlGroup() {
    return controlGroup;
  }

  /** Returns whether Fedora fetches from the driver's content server. */
  public boolean served() {
    return this == URL || stays();
  }

  /** Returns whether Fedora keeps only the location of the content. */
  public boolean stays() {
    return this == EXTERNAL || this == REDIRECT;
  }
}
