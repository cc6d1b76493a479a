package org.fedometer.driver.content;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How the bytes of a datastream get into Fedora. */
public enum ContentPath {
  /** Managed content in the request itself: as base64 in FOXML, as it is where it goes alone. */
  IN_REQUEST('M'),
  /** XML as inline XML; what is none, and what cannot be inlined, as {@link #IN_REQUEST}. */
  INLINE_XML('X'),
  /** Managed content that Fedora fetches from the driver's content server. */
  URL('M'),
  /** Managed content that is given to Fedora's upload servlet before. */
  UPLOAD('M'),
  /** Content that stays on the driver's content server; Fedora passes it on. */
  EXTERNAL('E'),
  /** Content that stays on the driver's content server; Fedora sends whoever asks there. */
  REDIRECT('R');

  private final char controlGroup;

  ContentPath(char controlGroup) {
    this.controlGroup = controlGroup;
  }

  /** As on the command line and in the record of a run. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static List<String> ids() {
    return Arrays.stream(values()).map(ContentPath::id).toList();
  }

  /**
   * @throws IllegalArgumentException naming those there are
   */
  public static ContentPath named(String id) {
    return Arrays.stream(values())
        .filter(path -> path.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + id + "' is no way for content; there are " + String.join(", ", ids())));
  }

  /** Fedora's letter: M for managed content, X for inline XML, E and R for what stays elsewhere. */
  char controlGroup() {
    return controlGroup;
  }

  /** Whether Fedora asks the driver's content server. */
  public boolean served() {
    return this == URL || stays();
  }

  /** Whether Fedora keeps no more than where the content is. */
  public boolean stays() {
    return this == EXTERNAL || this == REDIRECT;
  }
}
