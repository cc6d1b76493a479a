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
 * Decides when which object of a load is sent: by its numbers, their schedule, its steps, and what
 * ends it before its last object. Started and looked at by the driver's thread; its parts are used
 * by any.
 */
final class Pacer {

  private static final long DISK_CHECK_NANOS = 1_000_000_000;

  final Numbers numbers;
  final Schedule schedule;

  /** Null where the load has no steps. */
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
   * Goes on to the next step, and ends the load, if it is time.
   *
   * @param workerCount takes how many workers the next step wants
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
      end.finish("The time it was given is over: " + Messages.duration(maxDuration) + ".");
    } else if (options.endConditions().freeDiskBytes() != null
        && now - diskCheckedNanos >= DISK_CHECK_NANOS) {
      diskCheckedNanos = now;
      long freeBytes = options.endConditions().freeDiskBytes().getAsLong();
      if (freeBytes < options.endConditions().minFreeDiskBytes()) {
        end.finish("The disk has no more left than it was to keep: " + (freeBytes >> 20) + " MiB.");
      }
    }
  }

  /** When there is something to look at again, if nothing changes before. */
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
