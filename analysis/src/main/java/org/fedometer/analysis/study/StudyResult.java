package org.fedometer.analysis.study;

/**
 * Result of reading a study: its data, or why it is unreadable. Immutable.
 *
 * @param study null if unreadable
 * @param unreadable a sentence, null if readable
 */
public record StudyResult<T>(T study, String unreadable) {
  public StudyResult {
    if ((study == null) == (unreadable == null)) {
      throw new IllegalArgumentException("A study has figures or a reason why not, never both.");
    }
  }
}
