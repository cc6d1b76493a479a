package org.fedometer.experiments.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks of a machine. */
class MachineChecksTest {
  @TempDir private Path store;

  @Test
  void eachThingIsLookedAtOnce() {
    assertThat(MachineChecks.of(store, 4).stream().map(Check::name))
        .containsExactly(
            "java", "attach", "store-disk", "native-libraries", "open-files", "clock-source");
  }

  @Test
  void workersThatNoLoadHasAreRefusedAndNotReckonedWith() {
    assertThatThrownBy(() -> MachineChecks.of(store, 1_000_000_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--workers 1000000000: give 1 to 1000");
  }
}
