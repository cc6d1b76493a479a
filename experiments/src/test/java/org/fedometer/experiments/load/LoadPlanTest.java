package org.fedometer.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fedometer.driver.EndConditions;
import org.fedometer.driver.load.Load;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A requested load, for the driver and the record. */
class LoadPlanTest {

  @Test
  void aDiskThatCannotBeSeenEndsNoLoad() {
    LoadPlan plan = plan(null, null, 5L << 30);

    assertThatThrownBy(() -> plan.driverEnds(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it is on another host");
  }

  @Test
  void theDiskOfAFolderThatIsStillToBeMadeIsThatOfTheFolderAboveIt(@TempDir Path folder) {
    EndConditions ends =
        plan(null, Duration.ofHours(1), 7L).driverEnds(folder.resolve("store/homes"));

    assertThat(ends.freeDiskBytes().getAsLong()).isPositive();
    assertThat(ends.minFreeDiskBytes()).isEqualTo(7);
    assertThat(ends.maxDuration()).isEqualTo(Duration.ofHours(1));
    assertThat(LoadPlan.of(4).driverEnds(null)).isEqualTo(EndConditions.AT_THE_LAST_OBJECT);
  }

  @Test
  void aLoadThatWouldEndBeforeItBeginsIsRefused(@TempDir Path folder) {
    LoadPlan plan = plan(null, null, Long.MAX_VALUE);

    assertThatThrownBy(() -> plan.driverEnds(folder.resolve("store")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--min-free-disk 9.22 EB: the disk of " + folder)
        .hasMessageContaining("nothing would be loaded");
  }

  @Test
  void theRecordHasItInTheWordsOfTheOptions() {
    assertThat(LoadPlan.of(4).facts()).isEmpty();
    assertThat(plan(null, Duration.ofDays(3), 50L << 30).facts())
        .containsExactly(entry("duration", "3d"), entry("min-free-disk", "53687091200"));
    assertThat(plan(new Load.Ramp(20, 2.5, Duration.ofSeconds(200), 0), null, null).facts())
        .containsExactly(entry("ramp", "20:+2.5/200s"), entry("warm-up", "0"));
    assertThat(plan(new Load.Sweep(List.of(1, 4), null, 500, 9), null, null).facts())
        .containsExactly(
            entry("sweep", "1,4"), entry("step", "500 objects"), entry("warm-up", "9"));
  }

  private static LoadPlan plan(Load.Stepped steps, Duration maxDuration, Long minDiskBytes) {
    return new LoadPlan(null, 4, null, steps, maxDuration, minDiskBytes);
  }
}
