package org.fedometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Trend and remaining time of a load, by a clock that the test sets. */
class RateHistoryTest {

  private static final long SECOND = 1_000_000_000L;
  private final RateHistory history = new RateHistory();
  private long objects;

  @Test
  void aLoadThatHasJustBegunHasARateAndNoTrend() {
    run(0, 60, 10);

    IngestProgress.Trend trend = history.trend(60 * SECOND, objects);

    assertThat(trend.objectsPerSecond()).isCloseTo(10, within(0.01));
    assertThat(trend.before()).isNull();
    assertThat(RateHistory.etaSeconds(100, 20, trend)).as("by the last seconds").isEqualTo(5);
  }

  @Test
  void twoHoursAreComparedHourByHour() {
    run(0, 5 * 3600, 30);
    run(5 * 3600, 6 * 3600, 20);
    run(6 * 3600, 7 * 3600, 10);

    IngestProgress.Trend trend = history.trend(7 * 3600 * SECOND, objects);

    assertThat(trend.seconds()).isEqualTo(3600);
    assertThat(trend.objectsPerSecond()).isCloseTo(10, within(0.05));
    assertThat(trend.before()).isCloseTo(20, within(0.1));
    // 0.05 s more over the 54,000 objects between the middles of the two hours.
    assertThat(trend.growthSeconds()).isCloseTo(0.05 / 54_000, within(1e-8));
  }

  @Test
  void aLoadThatGetsSlowerIsExpectedToGoOnGettingSlower() {
    run(0, 3600, 20);
    run(3600, 7200, 10);
    IngestProgress.Trend trend = history.trend(7200 * SECOND, objects);

    long eta = RateHistory.etaSeconds(100_000, 10, trend);

    assertThat(eta).isGreaterThan(100_000 / 10 + 1_000);
  }

  @Test
  void aLoadThatGetsFasterIsNotExpectedToGoOnGettingFaster() {
    run(0, 3600, 10);
    run(3600, 7200, 20);
    IngestProgress.Trend trend = history.trend(7200 * SECOND, objects);

    assertThat(trend.growthSeconds()).isZero();
    assertThat((double) RateHistory.etaSeconds(100_000, 20, trend)).isCloseTo(5_000, within(50.0));
  }

  @Test
  void hasNoEstimateIfNothingIsIngested() {
    assertThat(RateHistory.etaSeconds(10, 0, history.trend(0, 0))).isEqualTo(-1);
    assertThat(RateHistory.etaSeconds(0, 0, history.trend(0, 0))).isZero();
  }

  private void run(int fromSeconds, int toSeconds, int perSecond) {
    for (int second = fromSeconds; second < toSeconds; second++) {
      history.note(second * SECOND, objects);
      objects += perSecond;
    }
  }
}
