package org.fedometer.experiments.host;

import java.time.Instant;
import java.util.Optional;
import org.fedometer.driver.journal.ClockStep;
import org.fedometer.experiments.job.Moment;

/**
 * A job's calendar clock: the wall clock at its start, continued by the host's steady clock.
 * Setting the wall clock meanwhile makes no time of the job longer or negative, and times of
 * consecutive drivers are consistent. Immutable.
 *
 * @param bootId of the host, empty if unknown: {@code System.nanoTime()} compares within one boot
 *     only
 * @param nanos of {@code System.nanoTime()} at some moment of that boot
 * @param epochMillis by this calendar at that moment
 */
public record JobClock(String bootId, long nanos, long epochMillis) {
  /** Returns a clock that starts with the current wall clock. */
  public static JobClock begins() {
    return notBefore(Long.MIN_VALUE);
  }

  /** Returns a clock that starts with the wall clock, or a later recorded time. */
  public static JobClock notBefore(long epochMillis) {
    return new JobClock(
        HostEnvironment.bootId(),
        System.nanoTime(),
        Math.max(System.currentTimeMillis(), epochMillis));
  }

  /** Returns whether this host has not been restarted since. */
  public boolean countsHere() {
    return !bootId.isEmpty() && bootId.equals(HostEnvironment.bootId());
  }

  /**
   * Returns the current moment by both clocks; meaningless unless this one {@linkplain #countsHere
   * is valid here}.
   */
  public Moment now() {
    long shown = System.nanoTime();
    return new Moment(shown, epochMillis + (shown - nanos) / 1_000_000);
  }

  /** Returns the current time in the format of {@code run.json}: ISO 8601, to the millisecond. */
  public String timeOfDay() {
    return Instant.ofEpochMilli(now().epochMillis()).toString();
  }

  /** Returns how far the wall clock was set since. */
  public ClockStep leap() {
    return ClockStep.since(nanos, epochMillis);
  }

  /**
   * Returns a note on logs with wall clock times only, which are aligned by its current offset;
   * empty if it was not set.
   */
  public Optional<String> noteOnLogs() {
    long millis = leap().millis();
    if (millis == 0) {
      return Optional.empty();
    }
    String note =
        "The clock was set %s by %d s during the run: earlier lines of fedora.log and the"
            + " log of garbage collections appear that much too %s.";
    return Optional.of(
        note.formatted(
            millis > 0 ? "forward" : "back",
            Math.round(Math.abs(millis) / 1000.0),
            millis > 0 ? "early" : "late"));
  }

  /**
   * Returns when a file was written, whose time is by the wall clock, before or after it was set.
   * Picks the later interpretation that is not in the future.
   */
  public long whenWritten(long fileEpochMillis) {
    long now = now().epochMillis();
    long before = fileEpochMillis;
    long afterwards = fileEpochMillis - leap().millis();
    long later = Math.max(before, afterwards);
    return later <= now ? later : Math.min(now, Math.min(before, afterwards));
  }
}
