package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import org.fedometer.analysis.compare.StageTime.MeanError;
import org.fedometer.store.RunFolder;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageTimesTest {

  @TempDir private Path folder;

  private static List<StageTime> times(RunFolder folder, int first) throws Exception {
    try (Query query = folder.query()) {
      RequestSeries requests = RequestSeries.of(query, folder.document()).orElseThrow();
      int end = requests.service().count();
      return StageTimes.of(query, MeasuredPart.of(requests, first, end, true, folder.document()));
    }
  }

  private static StageTime time(List<StageTime> times, String stage) {
    return times.stream().filter(time -> time.stage().equals(stage)).findFirst().orElseThrow();
  }

  @Test
  void onlyTheMeasuredPartCounts() throws Exception {
    StoredRun run = new StoredRun(folder, "warms-up");
    run.pace = object -> object < 100 ? 3 : 1;
    RunFolder written = run.write();

    assertThat(time(times(written, 0), "index.fields").selfNanos()).isGreaterThan(15e6);
    StageTime warm = time(times(written, 100), "index.fields");
    assertThat(warm.selfNanos()).isCloseTo(10e6, within(0.5e6));
    assertThat(warm.share()).isCloseTo(10.0 / 21, within(0.01));
    assertThat(warm.outside()).isFalse();
  }

  @Test
  void aLongPartHasTheSameErrorsFromRollupsAsFromSamples() throws Exception {
    StoredRun run = new StoredRun(folder, "long");
    run.objects = 600;
    run.telemetry = false;
    run.indexMillis = 1_000;
    run.validateMillis = 1_100;
    RunFolder fromSamples = run.write();
    StoredRun same = new StoredRun(folder.resolve("other"), "long");
    same.objects = 600;
    same.telemetry = false;
    same.indexMillis = 1_000;
    same.validateMillis = 1_100;
    same.rollups = true;
    RunFolder fromRollups = same.write();

    MeanError samples = time(times(fromSamples, 0), "index.fields").error();
    MeanError rollups = time(times(fromRollups, 0), "index.fields").error();

    assertThat(samples.degreesOfFreedom()).isEqualTo(29);
    assertThat(rollups.degreesOfFreedom()).isEqualTo(29);
    // Samples go by their begin, rollups by their end, and the stretches are not quite the same.
    assertThat(rollups.standard() / samples.standard()).isBetween(0.4, 2.5);
    assertThat(rollups.standard()).isLessThan(0.1e9);
  }

  @Test
  void aPartOfHardlyAsManyRollupsAsStretchesHasErrorsWhereverItBegins() throws Exception {
    StoredRun run = new StoredRun(folder, "long");
    run.objects = 600;
    run.telemetry = false;
    run.indexMillis = 1_000;
    run.validateMillis = 1_100;
    run.rollups = true;
    RunFolder written = run.write();

    // At most some 308 s: some of these parts contain 30 whole rollups, others 29.
    for (int first = 15; first <= 35; first++) {
      assertThat(time(times(written, first), "index.fields").error())
          .as("from object " + first)
          .isNotNull();
    }
  }

  @Test
  void theErrorOfARatioIsThatOfItsDeviationsFromStretchToStretch() {
    // By hand: the ratio is 2; deviations are 2, -2, 0; their squares 8 * 3 / 2, its root by 6.
    MeanError error = StageTimes.error(new double[] {4, 0, 8}, new double[] {1, 1, 4});

    assertThat(error.standard()).isCloseTo(Math.sqrt(12) / 6, within(1e-12));
    assertThat(error.degreesOfFreedom()).isEqualTo(2);
    assertThat(StageTimes.error(new double[] {0, 0}, new double[] {0, 0})).isNull();
  }
}
