package org.fedometer.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.catalogue.Datasets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rejections of a scale study before a Fedora is started. */
class StudyChoiceTest {

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 91, 1000})
  void rejectsInvalidRepetitionsNamingTheOption(int repetitions) {
    assertThatThrownBy(() -> new StudyChoice(1600, repetitions))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--repetitions: an operation is timed 1 to 90 times, not " + repetitions);
  }

  @Test
  void aDatasetWithFewerObjectsThanTheLargestSizeIsRefused() {
    Dataset small = Datasets.open("ndltd:W1", DatasetOptions.unlimited("patent"));

    assertThat(new StudyChoice(100, 5).objectsOf(small)).isEqualTo(100);
    assertThatThrownBy(() -> new StudyChoice(1600, 5).objectsOf(small))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ndltd")
        .hasMessageContaining("are too many");
  }

  @Test
  void acceptsTheMaximumRepetitions() {
    assertThat(new StudyChoice(1600, 90).facts()).containsEntry("repetitions", "90");
  }
}
