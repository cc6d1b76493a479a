package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class BlockHistogramsTest {

  @Property(tries = 500)
  void aBucketHoldsItsTimesAndIsNarrow(@ForAll @LongRange(min = 0, max = 1L << 52) long nanos) {
    int bucket = BlockHistograms.bucket(nanos);
    double low = BlockHistograms.lowest(bucket);
    double next = BlockHistograms.lowest(bucket + 1);

    assertThat((double) nanos).isGreaterThanOrEqualTo(low).isLessThan(next);
    assertThat(next - low).isLessThanOrEqualTo(Math.max(1, nanos / 256.0));
  }

  @Test
  void percentilesOfAResampleAreThoseOfItsRequests() {
    SplittableRandom random = new SplittableRandom(5);
    long[] durations = new SimulatedRun(0.5, 0.8).durations(20_000, random);
    Series series = SimulatedRun.closedModel(durations.clone());
    Intervals intervals = series.intervals(100);
    BlockHistograms histograms = new BlockHistograms(series, intervals);
    int[] weights = new int[100];
    for (int i = 0; i < weights.length; i++) {
      weights[random.nextInt(weights.length)]++;
    }
    long[] resample = new long[durations.length];
    int at = 0;
    for (int i = 0; i < weights.length; i++) {
      for (int times = 0; times < weights[i]; times++) {
        System.arraycopy(durations, i * 200, resample, at, 200);
        at += 200;
      }
    }
    Arrays.sort(resample);

    for (double share : new double[] {0.5, 0.95, 0.99}) {
      double exact = resample[(int) Math.ceil(share * resample.length) - 1];
      assertThat(histograms.percentile(weights, share) / exact).isCloseTo(1, within(1 / 256.0));
    }
  }

  @Test
  void sharesOfIntervalsAddUpToThePercentile() {
    Series series = new SimulatedRun(0, 0.5).draw(50_000, 1, new SplittableRandom(6));
    double[] shares = new BlockHistograms(series, series.intervals(1_000)).sharesUpTo(0.95);

    assertThat(Arrays.stream(shares).average().orElseThrow()).isCloseTo(0.95, within(0.002));
  }
}
