package org.fedometer.datasets.patents;

import java.util.HashMap;
import java.util.Map;

/**
 * Figures of the FIZ study about its patents, shown next to those of generated and other patents.
 */
final class PatentStudy {

  private static final String FILE = "a few KB to 13 MB";
  private static final String DEFLATION = "deflation of FULLTEXT";

  static final Map<String, String> VALUES =
      Map.of(
          "triples",
          "31 to 69, mean 54",
          "dc fields",
          "10",
          "content streams",
          "1 to 3; 3 in half of the objects",
          "content",
          "about 143 KB (2 TB by 14 M objects)",
          "file FULLTEXT",
          FILE,
          "file PDF",
          FILE,
          "file IMAGE",
          FILE,
          DEFLATION,
          "0.20 to 0.25 (real US patents)");

  private PatentStudy() {}

  /** Returns the figures for documents of a few KB, which have little repetition. */
  static Map<String, String> ofShortDocuments() {
    Map<String, String> values = new HashMap<>(VALUES);
    values.put(DEFLATION, "0.34 to 0.40 (real US patents cut to 3 to 4 KB)");
    return Map.copyOf(values);
  }
}
