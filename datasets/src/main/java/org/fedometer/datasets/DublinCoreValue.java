package org.fedometer.datasets;

import java.util.Objects;
import java.util.Set;

/**
 * One element of a Dublin Core record.
 *
 * @param element one of the fifteen names, without prefix: {@code title}, {@code creator}, ...
 *     Fedora drops any other
 * @param value the text; Fedora trims it
 */
public record DublinCoreValue(String element, String value) {

  private static final Set<String> ELEMENTS =
      Set.of(
          "title",
          "creator",
          "subject",
          "description",
          "publisher",
          "contributor",
          "date",
          "type",
          "format",
          "identifier",
          "source",
          "language",
          "relation",
          "coverage",
          "rights");

  public DublinCoreValue {
    if (!isElement(element)) {
      throw new IllegalArgumentException("Dublin Core has no element '" + element + "'");
    }
    Objects.requireNonNull(value, "value");
  }

  public static boolean isElement(String name) {
    return ELEMENTS.contains(name);
  }
}
