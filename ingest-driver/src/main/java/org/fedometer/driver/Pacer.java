package org.fedometer.driver;

import java.time.Duration;
import java.util.function.IntConsumer;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.journal.JournalState;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.load.Load;
import org.fedometer.driver.load.LoadEnd;
import org.fedometer.driver.load.LoadSteps;
import org.fedometer.driver.load.Numbers;
import org.fedometer.driver.load.Schedule;
import org.fedometer.driver.request.StopSignal;

/**
 * Decides when each object of a load is sent and when the load ends before its last object. The
 * driver's thread starts and advances it; its parts are thread-safe.
 */
final class Pacer {

  private static final long DISK_CHECK_NANOS = 1_000_000_000;

  final Numbers numbers;
  final Schedule schedule;

  /** Null for a load without steps. */
  final LoadSteps steps;

  final LoadEnd end;
  private final IngestOptions options;
  private long diskCheckedNanos;

  Pacer(IngestOptions options, JournalState before, IngestTally tally, StopSignal stop) {
    this.options = options;
    this.numbers = new Numbers(before, options.firstIndex(), options.endIndex(), options.shard());
    this.schedule = new Schedule(numbers.count());
    this.steps =
        options.load() instanceof Load.Stepped stepped
            ? new LoadSteps(stepped, options.workers(), schedule, tally)
            : null;
    this.end = new LoadEnd(stop, schedule);
  }

  void start(long nanos) {
    schedule.start(nanos);
    if (options.load() instanceof Load.ArrivalRate rate) {
      schedule.setRate(rate.objectsPerSecond(), nanos);
    }
    if (options.endConditions().maxDuration() != null) {
      schedule.endAt(options.endConditions().maxDuration().toNanos());
    }
    if (steps != null) {
      steps.start(nanos);
    }
  }

  int firstWorkers() {
    return steps != null ? steps.wantedWorkers() : options.workers();
  }

  /**
   * Advances to the next step or ends the load, if due.
   *
   * @param workerCount consumer of the next step's number of workers
   */
  void advance(long now, IntConsumer workerCount) {
    if (end.endReason() != null || schedule.paused()) {
      return;
    }
    if (steps != null) {
      if (steps.advance(now)) {
        workerCount.accept(steps.wantedWorkers());
        steps.open();
      }
      if (steps.endReason() != null) {
        end.finish(steps.endReason());
        return;
      }
    }
    Duration maxDuration = options.endConditions().maxDuration();
    if (maxDuration != null && schedule.loadNanos(now) >= maxDuration.toNanos()) {
      end.finish("--duration has passed: " + Messages.duration(maxDuration) + ".");
    } else if (options.endConditions().freeDiskBytes() != null
        && now - diskCheckedNanos >= DISK_CHECK_NANOS) {
      diskCheckedNanos = now;
      long freeBytes = options.endConditions().freeDiskBytes().getAsLong();
      if (freeBytes < options.endConditions().minFreeDiskBytes()) {
        end.finish("--min-free-disk is reached: " + (freeBytes >> 20) + " MiB are free.");
      }
    }
  }

  /** Returns the time of the next event, unless something changes before. */
  long nextEventNanos() {
    if (end.stopped() || end.endReason() != null) {
      return Long.MAX_VALUE;
    }
    long maxNanos =
        options.endConditions().maxDuration() == null
            ? Long.MAX_VALUE
            : options.endConditions().maxDuration().toNanos();
    return schedule.nanosOf(steps == null ? maxNanos : Math.min(maxNanos, steps.endLoadNanos()));
  }
}
