package org.fedometer.analysis.study;

/**
 * What was found of a study: its figures, or why they cannot be read. Immutable.
 *
 * @param study null where they cannot be read
 * @param unreadable a sentence, null where they can
 */
public record StudyResult<T>(T study, String unreadable) {
  public StudyResult {
    if ((study == null) == (unreadable == null)) {
      throw new IllegalArgumentException("A study has figures or a reason why not, never both.");
    }
  }
}
