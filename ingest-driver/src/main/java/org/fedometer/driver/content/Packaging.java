package org.fedometer.driver.content;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** In how many requests an object goes to Fedora. */
public enum Packaging {
  /** One FOXML document with everything. */
  FOXML,
  /** FOXML with DC and RELS-EXT, then the other datastreams one by one. */
  DATASTREAMS;

  /** Returns the name used on the command line and in the record of a run. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> ids() {
    return Arrays.stream(values()).map(Packaging::id).toList();
  }

  /**
   * @throws IllegalArgumentException listing the valid names
   */
  public static Packaging named(String id) {
    for (Packaging packaging : values()) {
      if (packaging.id().equals(id)) {
        return packaging;
      }
    }
    throw new IllegalArgumentException(
        "'" + id + "' is not a packaging; expected " + String.join(" or ", ids()));
  }
}
