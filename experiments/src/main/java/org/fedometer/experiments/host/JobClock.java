package org.fedometer.experiments.host;

import java.time.Instant;
import java.util.Optional;
import org.fedometer.driver.journal.ClockStep;
import org.fedometer.experiments.job.Moment;

/**
 * The calendar of a job: as it was when the job began, carried on by the host's steady clock.
 * Whoever sets the time of day meanwhile makes no time of the job longer, or negative, and what one
 * driver has put on record fits what the next one does. Immutable.
 *
 * @param bootId of the host, empty where it does not tell: {@code System.nanoTime()} compares
 *     within one boot only
 * @param nanos of {@code System.nanoTime()} at some moment of that boot
 * @param epochMillis by this calendar at that moment
 */
public record JobClock(String bootId, long nanos, long epochMillis) {
  /** What the time of day is now. */
  public static JobClock begins() {
    return notBefore(Long.MIN_VALUE);
  }

  /** The time of day, or what is on record already if that is later. */
  public static JobClock notBefore(long epochMillis) {
    return new JobClock(
        HostEnvironment.bootId(),
        System.nanoTime(),
        Math.max(System.currentTimeMillis(), epochMillis));
  }

  /** Whether this host has not been started since. */
  public boolean countsHere() {
    return !bootId.isEmpty() && bootId.equals(HostEnvironment.bootId());
  }

  /**
   * This moment by both clocks; of no use where this one does not {@linkplain #countsHere count}.
   */
  public Moment now() {
    long shown = System.nanoTime();
    return new Moment(shown, epochMillis + (shown - nanos) / 1_000_000);
  }

  /** Now, as {@code run.json} has it: ISO 8601, to the millisecond. */
  public String timeOfDay() {
    return Instant.ofEpochMilli(now().epochMillis()).toString();
  }

  /** How far the time of day was set since. */
  public ClockStep leap() {
    return ClockStep.since(nanos, epochMillis);
  }

  /**
   * A sentence on logs whose lines have the time of day alone, and are placed among what has been
   * measured by what that is now; empty where it was not set.
   */
  public Optional<String> noteOnLogs() {
    long millis = leap().millis();
    if (millis == 0) {
      return Optional.empty();
    }
    String note =
        "The time of day was set %s by %d s since the run began: what fedora.log and the log of"
            + " garbage collections say of before then is placed as much too %s.";
    return Optional.of(
        note.formatted(
            millis > 0 ? "forward" : "back",
            Math.round(Math.abs(millis) / 1000.0),
            millis > 0 ? "early" : "late"));
  }

  /**
   * When a file was written, whose time is by the time of day: of before it was set, or of
   * afterwards, nobody knows. Nothing was written later than now, so that it is the later of the
   * two that was not.
   */
  public long whenWritten(long fileEpochMillis) {
    long now = now().epochMillis();
    long before = fileEpochMillis;
    long afterwards = fileEpochMillis - leap().millis();
    long later = Math.max(before, afterwards);
    return later <= now ? later : Math.min(now, Math.min(before, afterwards));
  }
}
