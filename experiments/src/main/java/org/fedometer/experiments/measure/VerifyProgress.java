package org.fedometer.experiments.measure;

import java.util.Locale;
import org.fedometer.experiments.job.DurationFormat;

/**
 * Progress of a comparison of objects, for display.
 *
 * @param all total, or 0 if unknown
 * @param elapsedNanos since this comparison began
 */
public record VerifyProgress(String what, long done, long all, long elapsedNanos) {

  /** Distinguishes consecutive comparisons by their name. Thread-safe. */
  public static final class Meter {
    private String what = "";
    private long startNanos;

    /** Returns the progress; a new name means that a comparison has just begun. */
    public synchronized VerifyProgress at(String nowWhat, long done, long all) {
      long now = System.nanoTime();
      if (!what.equals(nowWhat)) {
        what = nowWhat;
        startNanos = now;
      }
      return new VerifyProgress(what, done, all, now - startNanos);
    }
  }

  /** Returns 0 to 1, or NaN if unknown. */
  public double fraction() {
    return all > 0 ? Math.min(1, (double) done / all) : Double.NaN;
  }

  /** Returns a line with the mean rate so far and the remaining time at that rate. */
  public String line() {
    StringBuilder line = new StringBuilder();
    line.append(String.format(Locale.ROOT, "%s: %,d", what, done));
    if (all > 0) {
      line.append(String.format(Locale.ROOT, " of %,d", all));
    }
    if (done > 0 && elapsedNanos > 0) {
      double perSecond = done * 1e9 / elapsedNanos;
      line.append(String.format(Locale.ROOT, perSecond < 10 ? ", %.1f/s" : ", %,.0f/s", perSecond));
      if (all > 0) {
        line.append(", ")
            .append(DurationFormat.format(Math.round(Math.max(0, all - done) / perSecond)))
            .append(" left");
      }
    }
    return line.toString();
  }
}
