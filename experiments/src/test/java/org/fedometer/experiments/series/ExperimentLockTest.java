package org.fedometer.experiments.series;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may conduct an experiment. */
class ExperimentLockTest {

  @Test
  void anExperimentIsConductedByOneAtATimeAndOthersBesideIt(@TempDir Path store) throws Exception {
    try (ExperimentLock ignored = ExperimentLock.take(store, "night")) {
      assertThatThrownBy(() -> ExperimentLock.take(store, "night"))
          .isInstanceOf(IOException.class)
          .hasMessage("Another process conducts the experiment night in " + store + ".");
      ExperimentLock.take(store, "day").close();
    }

    ExperimentLock.take(store, "night").close();
  }
}
