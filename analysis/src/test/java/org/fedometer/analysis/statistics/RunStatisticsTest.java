package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RunStatisticsTest {

  @Test
  void areThoseOfTheRequests() {
    long[] durations = new long[200];
    for (int i = 0; i < durations.length; i++) {
      durations[i] = (i * 73 % 200 + 1) * 1_000_000L;
    }
    RunStatistics statistics = RunStatistics.of(SimulatedRun.closedModel(durations));

    assertThat(statistics.count()).isEqualTo(200);
    assertThat(statistics.meanNanos()).isEqualTo(100.5e6);
    // Without a pause between requests: one over the mean.
    assertThat(statistics.throughputPerSecond()).isCloseTo(1e9 / 100.5e6, within(1e-12));
    assertThat(statistics.p50Nanos()).isEqualTo(100e6);
    assertThat(statistics.p95Nanos()).isEqualTo(190e6);
    assertThat(statistics.p99Nanos()).isEqualTo(198e6);
  }

  @Property(tries = 300)
  void percentilesAreTimesOfTheNearestRank(
      @ForAll @Size(min = 1, max = 250) List<@LongRange(min = 0) Long> times) {
    long[] durations = times.stream().mapToLong(Long::longValue).toArray();
    long[] sorted = durations.clone();
    Arrays.sort(sorted);
    Series series = Series.of(new long[durations.length], durations);

    for (int percent : new int[] {1, 50, 95, 99, 100}) {
      int rank = (int) Math.ceil(percent * sorted.length / 100.0);
      assertThat(Percentiles.nearestRank(series, percent)).isEqualTo(sorted[rank - 1]);
    }
  }
}
