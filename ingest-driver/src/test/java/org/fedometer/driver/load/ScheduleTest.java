package org.fedometer.driver.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.RunStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When positions are due, by a clock that the test reads out. */
@Timeout(60)
class ScheduleTest {

  private static final long SECOND = 1_000_000_000L;

  /** Long ago, so that all that is due at a time of these tests is due now. */
  private final long start = System.nanoTime() - 10_000 * SECOND;

  private final Schedule schedule = new Schedule(Long.MAX_VALUE);

  @Test
  void aHigherRateDoesNotBringABurst() throws RunStop {
    begin(1);
    take(11); // due at 0 to 10 s

    schedule.setRate(10, at(10.5));

    take(3);
    // Half of the way to the next was gone, so half of the new distance is left.
    assertThat(intendedNanos(11)).isEqualTo(at(10.55));
    assertThat(intendedNanos(12)).isEqualTo(at(10.65));
    assertThat(intendedNanos(13)).isEqualTo(at(10.75));
  }

  @Test
  void whatIsLateWhenTheRateIsChangedComesAtTheNewDistances() throws RunStop {
    begin(100);
    take(10); // 991 more are due by then

    schedule.setRate(2, at(10));

    assertThat(schedule.overdue(10 * SECOND, 0)).isEqualTo(1);
    take(3);
    assertThat(intendedNanos(9)).as("taken before").isEqualTo(at(0.09));
    assertThat(intendedNanos(10)).isEqualTo(at(10));
    assertThat(intendedNanos(11)).isEqualTo(at(10.5));
    assertThat(intendedNanos(12)).isEqualTo(at(11));
  }

  @Test
  void aHigherRateAdvancesTheIntendedStart() throws Exception {
    Schedule slow = new Schedule(Long.MAX_VALUE);
    slow.start(System.nanoTime());
    slow.setRate(0.001, System.nanoTime());
    slow.take(() -> true);
    long waiting = slow.take(() -> true);
    CompletableFuture<IntendedStart> due = inBackground(slow, waiting);

    slow.setRate(1_000, System.nanoTime());

    assertThat(due.get(30, TimeUnit.SECONDS).scheduled()).isTrue();
  }

  @Test
  void aPauseDelaysAllIntendedStarts() throws RunStop {
    begin(1);
    take(6);
    assertThat(intendedNanos(4)).isEqualTo(at(4));

    schedule.pause(at(4.5));
    assertThat(schedule.loadNanos(at(1_000))).isEqualTo(4_500_000_000L);
    schedule.resume(at(104.5));

    assertThat(intendedNanos(5)).isEqualTo(at(105));
    assertThat(schedule.loadNanos(at(105))).isEqualTo(5 * SECOND);
    assertThat(schedule.overdue(schedule.loadNanos(at(106.5)), 0)).isEqualTo(1);
    assertThat(schedule.pauses(at(200))).containsExactly(new Pause(at(4.5), at(104.5)));
  }

  @Test
  void aStepRateKeepsTheIntendedStartOfLatePositions() throws RunStop {
    begin(10);

    schedule.setStepRate(20, 10 * SECOND);

    take(103);
    assertThat(intendedNanos(99)).isEqualTo(at(9.9));
    assertThat(intendedNanos(100)).isEqualTo(at(10));
    assertThat(intendedNanos(101)).isEqualTo(at(10.05));
    assertThat(intendedNanos(102)).isEqualTo(at(10.10));
  }

  @Test
  void aRateAppliesFromTheChangeOfAClosedModel() throws RunStop {
    schedule.start(start);
    take(5);
    assertThat(schedule.awaitIntendedStart(4, false).scheduled()).isFalse();
    assertThat(schedule.ratePerSecond()).isNull();

    schedule.setRate(2, at(100));
    take(2);

    assertThat(intendedNanos(5)).isEqualTo(at(100));
    assertThat(intendedNanos(6)).isEqualTo(at(100.5));

    schedule.useClosedModel(at(101));
    take(1);
    assertThat(schedule.awaitIntendedStart(7, false).scheduled()).isFalse();
    assertThat(schedule.overdue(200 * SECOND, 0)).isZero();
  }

  @Test
  void sendsNothingInAPauseAndAStopEndsIt() throws Exception {
    schedule.start(start);
    take(1);
    schedule.pause(System.nanoTime());
    CompletableFuture<IntendedStart> waiting = inBackground(schedule, 0);
    assertThat(waiting).isNotDone();

    schedule.stop();

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isNull();
    assertThat(schedule.returnLast(0)).isTrue();
    assertThat(schedule.next()).isZero();
  }

  @Test
  void returnsPositionsAfterTheEndExceptLeadingOnes() throws Exception {
    schedule.start(System.nanoTime());
    schedule.setRate(1, System.nanoTime());
    take(3);
    CompletableFuture<IntendedStart> leading = inBackground(schedule, 1, true);
    CompletableFuture<IntendedStart> other = inBackground(schedule, 2);

    schedule.end();

    assertThat(other.get(30, TimeUnit.SECONDS)).isNull();
    assertThat(leading.get(30, TimeUnit.SECONDS).scheduled()).isTrue();
    assertThat(schedule.returnLast(2)).isTrue();
    assertThat(schedule.returnLast(0)).as("1 was handed out after it").isFalse();
  }

  @Test
  void handsOutNothingAfterTheEnd() throws Exception {
    schedule.start(start);
    schedule.setRate(1, start);
    schedule.endAt(3 * SECOND);
    take(3);
    CompletableFuture<Long> fourth = CompletableFuture.supplyAsync(() -> taken(() -> true));
    assertThat(fourth).isNotDone();

    schedule.end();

    assertThat(fourth.get(30, TimeUnit.SECONDS)).isEqualTo(-1);
  }

  @Test
  void aHeldWorkerSignalsTheConductorOnce() throws Exception {
    schedule.start(start);
    schedule.holdAt(0);
    AtomicInteger looks = new AtomicInteger();
    List<CompletableFuture<Long>> workers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      workers.add(CompletableFuture.supplyAsync(() -> taken(() -> looks.incrementAndGet() > 0)));
    }
    while (looks.get() < 2) {
      Thread.onSpinWait();
    }

    int told = 0;
    while (told < 100 && isSignalled()) {
      told++;
    }

    assertThat(told).isLessThan(100);
    schedule.stop();
    for (CompletableFuture<Long> worker : workers) {
      assertThat(worker.get(30, TimeUnit.SECONDS)).isEqualTo(-1);
    }
  }

  /** Within a tenth of a second. */
  private boolean isSignalled() throws InterruptedException {
    long until = System.nanoTime() + SECOND / 10;
    schedule.awaitChange(until);
    return System.nanoTime() - until < 0;
  }

  @Test
  void whatChangesWhileTheConductorLooksElsewhereIsNotMissed() throws InterruptedException {
    schedule.wake();

    long until = System.nanoTime() + 30 * SECOND;
    schedule.awaitChange(until);

    assertThat(System.nanoTime() - until).isNegative();
  }

  private void begin(double rate) {
    schedule.start(start);
    schedule.setRate(rate, start);
  }

  private void take(int positions) throws RunStop {
    for (int i = 0; i < positions; i++) {
      assertThat(schedule.take(() -> true)).isNotNegative();
    }
  }

  private long taken(BooleanSupplier wanted) {
    try {
      return schedule.take(wanted);
    } catch (RunStop e) {
      throw new IllegalStateException(e);
    }
  }

  private long intendedNanos(long position) throws RunStop {
    return schedule.awaitIntendedStart(position, false).nanos();
  }

  private long at(double seconds) {
    return start + Math.round(seconds * SECOND);
  }

  private static CompletableFuture<IntendedStart> inBackground(Schedule schedule, long position) {
    return inBackground(schedule, position, false);
  }

  private static CompletableFuture<IntendedStart> inBackground(
      Schedule schedule, long position, boolean anyway) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return schedule.awaitIntendedStart(position, anyway);
          } catch (RunStop e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
