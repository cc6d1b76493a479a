package org.fedometer.driver;

import java.time.Duration;
import java.util.function.IntConsumer;
import org.fedometer.driver.fedora.Words;
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

  private static final long DISK_LOOK_NANOS = 1_000_000_000;

  final Numbers numbers;
  final Schedule schedule;

  /** Null where the load has no steps. */
  final LoadSteps steps;

  final LoadEnd end;
  private final IngestOptions options;
  private long diskLookedNanos;

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
    if (options.load() instanceof Load.FixedRate rate) {
      schedule.rate(rate.objectsPerSecond(), nanos);
    }
    if (options.ends().longest() != null) {
      schedule.endAt(options.ends().longest().toNanos());
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
   * @param want takes how many workers the next step wants
   */
  void look(long now, IntConsumer want) {
    if (end.reached() != null || schedule.paused()) {
      return;
    }
    if (steps != null) {
      if (steps.look(now)) {
        want.accept(steps.wantedWorkers());
        steps.open();
      }
      if (steps.over() != null) {
        end.reach(steps.over());
        return;
      }
    }
    Duration longest = options.ends().longest();
    if (longest != null && schedule.loadNanos(now) >= longest.toNanos()) {
      end.reach("The time it was given is over: " + Words.time(longest) + ".");
    } else if (options.ends().diskLeftBytes() != null && now - diskLookedNanos >= DISK_LOOK_NANOS) {
      diskLookedNanos = now;
      long left = options.ends().diskLeftBytes().getAsLong();
      if (left < options.ends().leastDiskBytes()) {
        end.reach("The disk has no more left than it was to keep: " + (left >> 20) + " MiB.");
      }
    }
  }

  /** When there is something to look at again, if nothing changes before. */
  long nextEventNanos() {
    if (end.stopped() || end.reached() != null) {
      return Long.MAX_VALUE;
    }
    long longest =
        options.ends().longest() == null ? Long.MAX_VALUE : options.ends().longest().toNanos();
    return schedule.nanosOf(steps == null ? longest : Math.min(longest, steps.endLoadNanos()));
  }
}
