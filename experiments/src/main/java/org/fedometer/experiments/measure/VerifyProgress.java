package org.fedometer.experiments.measure;

import java.util.Locale;
import org.fedometer.experiments.job.DurationFormat;

/**
 * How far a comparison of objects is, as it is shown.
 *
 * @param all of them, or 0 where that is not known
 * @param elapsedNanos since this comparison began
 */
public record VerifyProgress(String what, long done, long all, long elapsedNanos) {

  /** Tells one comparison from the next by what is compared. Safe for use by many threads. */
  public static final class Meter {
    private String what = "";
    private long startNanos;

    /** How far it is now; what has another name has just begun. */
    public synchronized VerifyProgress at(String nowWhat, long done, long all) {
      long now = System.nanoTime();
      if (!what.equals(nowWhat)) {
        what = nowWhat;
        startNanos = now;
      }
      return new VerifyProgress(what, done, all, now - startNanos);
    }
  }

  /** 0 to 1, or NaN where that is not known. */
  public double fraction() {
    return all > 0 ? Math.min(1, (double) done / all) : Double.NaN;
  }

  /** In words, with the mean rate so far and the time left at that rate. */
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
