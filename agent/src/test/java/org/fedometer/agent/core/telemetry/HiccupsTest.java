package org.fedometer.agent.core.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.fedometer.agent.core.ship.TelemetrySink;
import org.junit.jupiter.api.Test;

class HiccupsTest {

  private final Hiccups hiccups = new Hiccups();
  private final RecordingSink readings = new RecordingSink();

  @Test
  void theLongestWaitIsExactAndOfTheTimeSinceTheLastReadingOnly() {
    hiccups.recordWakeUp(40_000);
    hiccups.recordWakeUp(3_123_456);
    hiccups.recordWakeUp(50_000);
    hiccups.read(1, readings);
    assertThat(readings.last("jvm.hiccup.max")).isEqualTo(0.003123456);

    hiccups.recordWakeUp(60_000);
    hiccups.read(2, readings);
    assertThat(readings.last("jvm.hiccup.max")).isEqualTo(0.00006);
    assertThat(readings.last("jvm.hiccup.time")).isEqualTo(0.003273456);
  }

  @Test
  void aLongStopCountsForAllWhoWouldHaveBegunToWaitInIt() {
    for (int i = 0; i < 100; i++) {
      hiccups.recordWakeUp(50_000);
    }
    hiccups.recordWakeUp(1_000_000_000);
    hiccups.read(1, readings);
    // 200 of 300 sleeps would have met the stop; the third that waited least did not.
    assertThat(readings.last("jvm.hiccup.p99")).isCloseTo(0.985, within(0.1));
  }

  @Test
  void waitsOfAReadingThatFailedAreInNoLaterOne() {
    for (int i = 0; i < 100_000; i++) {
      hiccups.recordWakeUp(0);
    }
    assertThatThrownBy(() -> hiccups.read(1, new FullSink())).isInstanceOf(OutOfMemoryError.class);
    hiccups.read(2, readings);
    for (int i = 0; i < 10; i++) {
      hiccups.recordWakeUp(40_000_000);
    }
    hiccups.read(3, readings);
    assertThat(readings.last("jvm.hiccup.p99")).isCloseTo(0.04, within(0.005));
  }

  @Test
  void withoutAnySleepThereIsNoWait() {
    hiccups.read(1, readings);
    assertThat(readings.last("jvm.hiccup.p99")).isZero();
    assertThat(readings.last("jvm.hiccup.max")).isZero();
  }

  /** Runs out of memory at every value. */
  private static final class FullSink implements TelemetrySink {
    @Override
    public void value(long atNanos, String metric, String unit, double value) {
      throw new OutOfMemoryError("provoked");
    }

    @Override
    public void pause(
        String collector,
        String action,
        String cause,
        long startNanos,
        long durationNanos,
        long heapBeforeBytes,
        long heapAfterBytes) {
      throw new OutOfMemoryError("provoked");
    }

    @Override
    public void flush() {
      throw new OutOfMemoryError("provoked");
    }

    @Override
    public long droppedSinceLastCall() {
      throw new OutOfMemoryError("provoked");
    }
  }

  @Test
  void bucketsAreInOrderAndNoneIsWiderThanAnEighth() {
    for (long nanos = 1; nanos < Long.MAX_VALUE / 3; nanos += 1 + nanos / 100) {
      int bucket = Hiccups.bucketOf(nanos);
      assertThat(Hiccups.bucketOf(nanos + 1)).isBetween(bucket, bucket + 1);
      assertThat(Hiccups.maxOf(bucket)).isBetween(nanos, nanos + nanos / 8);
      assertThat(bucket).isLessThan(8 * Long.SIZE);
    }
  }
}
