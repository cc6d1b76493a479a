package org.fedometer.experiments.series;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock of an experiment. */
class ExperimentLockTest {

  @Test
  void anExperimentIsConductedByOneAtATimeAndOthersBesideIt(@TempDir Path store) throws Exception {
    try (ExperimentLock ignored = ExperimentLock.acquire(store, "night")) {
      assertThatThrownBy(() -> ExperimentLock.acquire(store, "night"))
          .isInstanceOf(IOException.class)
          .hasMessage("Another process runs the experiment night in " + store + ".");
      ExperimentLock.acquire(store, "day").close();
    }

    ExperimentLock.acquire(store, "night").close();
  }
}
