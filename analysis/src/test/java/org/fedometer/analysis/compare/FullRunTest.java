package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.Resampling;
import org.fedometer.analysis.statistics.Verdict;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.store.RunStore;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two series of 10,000 service times of which the first 2,000 are slow, more so in the first. With
 * them the second is as fast, without them it is slower. The expected figures are NumPy 2.4's:
 * ratios of {@code mean} and of {@code percentile} with {@code method="inverted_cdf"}, and for the
 * warm-up the argmin of the MSER statistic over means of five.
 */
class FullRunTest {
  private static final int OBJECTS = 10_000;
  private static final int SLOW = 2_000;
  private static final long NO_WARM_UP = 0;

  @TempDir private static Path store;

  private static ProfileComparison full;
  private static ProfileComparison cut;

  @BeforeAll
  static void writeBoth() throws Exception {
    write("a", series(75, 20, 1));
    write("b", series(62, 23, 2));
    full = compared(NO_WARM_UP);
    cut = compared(null);
  }

  private static void write(String name, long[] durationNanos) throws Exception {
    StoredRun run = new StoredRun(store, name).of(name);
    run.durationNanos = durationNanos;
    run.telemetry = false;
    run.write();
  }

  /** Times from 0.7 to 1.3 of a level, drawn by a linear congruential generator. */
  private static long[] series(long slowMillis, long millis, long seed) {
    long[] durations = new long[OBJECTS];
    long drawn = seed;
    for (int i = 0; i < OBJECTS; i++) {
      drawn = (drawn * 1_103_515_245 + 12_345) % (1L << 31);
      durations[i] = (i < SLOW ? slowMillis : millis) * (700 + (drawn >> 8) % 601) * 1_000;
    }
    return durations;
  }

  private static ProfileComparison compared(Long warmUpObjects) throws Exception {
    return compared(false, warmUpObjects);
  }

  private static ProfileComparison compared(boolean atEqualSize, Long warmUpObjects)
      throws Exception {
    return ProfileComparison.of(
        Lineup.of(RunStore.at(store), List.of("a", "b"), null),
        new Choices(0.03, 0.95, Resampling.DEFAULT, atEqualSize, warmUpObjects));
  }

  private static RatioEstimate estimate(ProfileComparison comparison, Metric metric) {
    return comparison.contenders().get(0).service(metric).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "THROUGHPUT, 1.008265384528726, 0.8690282697694307",
    "MEAN, 0.9918023720187625, 1.1507105519885084",
    "P50, 1.1521495327102804, 1.1546324269889225",
    "P95, 0.818085351787774, 1.1463808025177027",
    "P99, 0.8286240463036043, 1.1482225656877898"
  })
  void ratiosAreNumPys(Metric metric, double ofAll, double withoutWarmUp) {
    assertThat(estimate(full, metric).ratio()).isCloseTo(ofAll, within(1e-12));
    assertThat(estimate(cut, metric).ratio()).isCloseTo(withoutWarmUp, within(1e-12));
  }

  @Test
  void aReportAndAComparisonCutTheSameObjects() throws Exception {
    WarmUp reported = RunReport.of(RunStore.at(store).run("a")).speed().warmUp();

    assertThat(reported).isEqualTo(new WarmUp(WarmUp.Verdict.SETTLED, 2_000));
    assertThat(cut.profiles())
        .flatExtracting(MeasuredProfile::runs)
        .extracting(run -> run.part().from(), run -> (long) run.steadyState().steadyFrom())
        .containsExactly(tuple(2_000L, 2_000L), tuple(2_020L, 2_020L));
  }

  @Test
  void reportsAResultThatDiffersForTheFullRuns() {
    assertThat(estimate(cut, Metric.THROUGHPUT).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(cut.remarks())
        .anySatisfy(
            remark ->
                assertThat(remark)
                    .startsWith(
                        "With the warm-up included, throughput is inconclusive (1.01 times [")
                    .contains("]) instead of worse; mean is inconclusive (0.99 times ["));
  }

  @Test
  void runsAtEqualSizeAreNotHeldAgainstOtherSizes() throws Exception {
    ProfileComparison equal = compared(true, null);

    assertThat(estimate(equal, Metric.THROUGHPUT).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(equal.remarks())
        .noneMatch(remark -> remark.contains("With the warm-up") || remark.contains("MSER-5"));
  }

  @Test
  void whatIsCutIsChosen() throws Exception {
    ProfileComparison some = compared(3_000L);

    assertThat(estimate(full, Metric.THROUGHPUT).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(full.remarks())
        .noneMatch(remark -> remark.contains("With the warm-up"))
        .contains(
            "By MSER-5 the first 2,000 objects of the run a are warm-up, but nothing is cut.",
            "By MSER-5 the first 2,020 objects of the run b are warm-up, but nothing is cut.");
    assertThat(some.profiles())
        .flatExtracting(MeasuredProfile::runs)
        .extracting(run -> run.part().from())
        .containsOnly(3_000L);
    assertThat(json(full).get("warmUp").asLong()).isZero();
    ProfileComparison found = compared(Choices.FOUND_WARM_UP);
    assertThat(json(found).get("warmUp").asText()).isEqualTo("auto");
    assertThat(json(cut).get("warmUp").isNull()).isTrue();
  }

  private static JsonNode json(ProfileComparison comparison) throws Exception {
    return new ObjectMapper().readTree(JsonProfileComparison.of(comparison, List.of()));
  }
}
