package org.fedometer.experiments.measure;

import java.util.Locale;

/**
 * How far a comparison of objects is, as it is shown.
 *
 * @param what is compared
 * @param done so far
 * @param all of them, or 0 where that is not known
 */
public record VerifyProgress(String what, long done, long all) {

  /** 0 to 1, or NaN where that is not known. */
  public double fraction() {
    return all > 0 ? Math.min(1, (double) done / all) : Double.NaN;
  }

  /** In words. */
  public String line() {
    return all > 0
        ? String.format(Locale.ROOT, "%s: %,d of %,d", what, done, all)
        : String.format(Locale.ROOT, "%s: %,d", what, done);
  }
}
