package org.fedometer.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused of a scale study before a Fedora is brought up for it. */
class StudyChoiceTest {

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 91, 1000})
  void repetitionsThatTheStudyDoesNotTakeAreRefusedByTheirOption(int repetitions) {
    assertThatThrownBy(() -> new StudyChoice(1600, repetitions))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--repetitions: an operation is timed 1 to 90 times, not " + repetitions);
  }

  @Test
  void theMostRepetitionsAreTaken() {
    assertThat(new StudyChoice(1600, 90).facts()).containsEntry("repetitions", "90");
  }
}
