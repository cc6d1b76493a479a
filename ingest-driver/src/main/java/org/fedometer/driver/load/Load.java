package org.fedometer.driver.load;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** When the objects of an ingest are due, and to how many workers. Immutable. */
public sealed interface Load {

  /** Each worker sends its next object when the last is done. */
  record ClosedModel() implements Load {}

  /**
   * Objects are due at even intervals, whatever Fedora does; response times include the wait behind
   * slow responses. Needs enough workers for the requests under way.
   *
   * @param objectsPerSecond above 0, at most {@value #MAX_RATE}
   */
  record ArrivalRate(double objectsPerSecond) implements Load {

    /** Above any Fedora's capacity; beyond, a schedule in nanoseconds gets coarse. */
    public static final double MAX_RATE = 100_000;

    private static final double MIN_RATE = 1e-6;

    public ArrivalRate {
      if (!(objectsPerSecond >= MIN_RATE && objectsPerSecond <= MAX_RATE)) {
        throw new IllegalArgumentException(
            "a rate of "
                + objectsPerSecond
                + " objects a second is not possible; give one above 0, at most 100000");
      }
    }
  }

  /** A load of several steps, each measured separately, after a warm-up. */
  sealed interface Stepped extends Load {

    /** Returns the number of objects sent in a closed model before the first step, 0 for none. */
    long warmUpObjects();
  }

  /**
   * A fixed rate that rises from step to step, until a request fails or the rate is not held. The
   * result is the highest rate before.
   *
   * @param fromPerSecond rate of the first step, as of {@link ArrivalRate}
   * @param byPerSecond increase per step, as of {@link ArrivalRate}
   * @param step duration of a step, at least a second
   */
  record Ramp(double fromPerSecond, double byPerSecond, Duration step, long warmUpObjects)
      implements Stepped {

    /** Objects begun later than this count against their step's rate. */
    private static final Duration MAX_DELAY = Duration.ofSeconds(1);

    /** Largest share of late objects in a step whose rate was held. */
    static final double MAX_LATE_SHARE = 0.01;

    public Ramp {
      new ArrivalRate(fromPerSecond);
      new ArrivalRate(byPerSecond);
      if (step.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new IllegalArgumentException(
            "a step of " + step.toMillis() + " ms is too short to measure; give a second or more");
      }
      requireWarmUp(warmUpObjects);
    }

    /** Returns a second, or a tenth of a shorter step. */
    long lateNanos() {
      return Math.min(MAX_DELAY.toNanos(), step.toNanos() / 10);
    }

    /**
     * @param number 0 for the first
     */
    double rateOf(int number) {
      return Math.min(ArrivalRate.MAX_RATE, fromPerSecond + number * byPerSecond);
    }
  }

  /**
   * A closed model with another number of workers in each step.
   *
   * @param workers of each step, 1 or more
   * @param step duration of a step, or null if {@code stepObjects} is given
   * @param stepObjects objects of a step, or 0 if {@code step} is given
   */
  record Sweep(List<Integer> workers, Duration step, long stepObjects, long warmUpObjects)
      implements Stepped {

    public Sweep {
      workers = List.copyOf(workers);
      if (workers.isEmpty() || workers.stream().anyMatch(number -> number < 1)) {
        throw new IllegalArgumentException(
            "each step of a sweep needs one worker or more, not " + workers);
      }
      if ((step == null) == (stepObjects == 0)) {
        throw new IllegalArgumentException(
            "a sweep's steps have either a duration or a number of objects");
      }
      if (step != null && step.compareTo(Duration.ofSeconds(1)) < 0 || stepObjects < 0) {
        throw new IllegalArgumentException("a step needs at least one second or one object");
      }
      requireWarmUp(warmUpObjects);
    }

    public int maxWorkers() {
      return workers.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }
  }

  private static void requireWarmUp(long objects) {
    if (objects < 0) {
      throw new IllegalArgumentException(
          Objects.toString(objects) + " objects of warm-up are not possible; give 0 or more");
    }
  }
}
