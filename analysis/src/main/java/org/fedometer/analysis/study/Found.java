package org.fedometer.analysis.study;

/**
 * What was found of a study: its figures, or why they cannot be read. Immutable.
 *
 * @param figures null where they cannot be read
 * @param unreadable a sentence, null where they can
 */
public record Found<T>(T figures, String unreadable) {
  public Found {
    if ((figures == null) == (unreadable == null)) {
      throw new IllegalArgumentException("A study has figures or a reason why not, never both.");
    }
  }
}
