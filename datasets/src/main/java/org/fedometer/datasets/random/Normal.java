package org.fedometer.datasets.random;

/**
 * The standard normal distribution and its inverse, with {@link StrictMath} so that every machine
 * gets the same bits.
 */
public final class Normal {

  private Normal() {}

  /**
   * Returns the value below which a share {@code p} lies, by Wichura's algorithm AS 241 (PPND16),
   * about 16 digits.
   *
   * @param p above 0 and below 1
   */
  public static double quantile(double p) {
    double q = p - 0.5;
    if (Math.abs(q) <= 0.425) {
      double r = 0.180625 - q * q;
      return q
          * horner(
              r,
              2509.0809287301226727,
              33430.575583588128105,
              67265.770927008700853,
              45921.953931549871457,
              13731.693765509461125,
              1971.5909503065514427,
              133.14166789178437745,
              3.387132872796366608)
          / horner(
              r,
              5226.495278852854561,
              28729.085735721942674,
              39307.89580009271061,
              21213.794301586595867,
              5394.1960214247511077,
              687.1870074920579083,
              42.313330701600911252,
              1.0);
    }
    double r = StrictMath.sqrt(-StrictMath.log(q < 0 ? p : 1 - p));
    double tail;
    if (r <= 5) {
      r -= 1.6;
      tail =
          horner(
                  r,
                  7.7454501427834140764e-4,
                  0.0227238449892691845833,
                  0.24178072517745061177,
                  1.27045825245236838258,
                  3.64784832476320460504,
                  5.7694972214606914055,
                  4.6303378461565452959,
                  1.42343711074968357734)
              / horner(
                  r,
                  1.05075007164441684324e-9,
                  5.475938084995344946e-4,
                  0.0151986665636164571966,
                  0.14810397642748007459,
                  0.68976733498510000455,
                  1.6763848301838038494,
                  2.05319162663775882187,
                  1.0);
    } else {
      r -= 5;
      tail =
          horner(
                  r,
                  2.01033439929228813265e-7,
                  2.71155556874348757815e-5,
                  0.0012426609473880784381,
                  0.026532189526576123093,
                  0.29656057182850489123,
                  1.7848265399172913358,
                  5.4637849111641143699,
                  6.6579046435011037772)
              / horner(
                  r,
                  2.04426310338993978564e-15,
                  1.4215117583164458887e-7,
                  1.8463183175100546818e-5,
                  7.868691311456132591e-4,
                  0.0148753612908506148525,
                  0.13692988092273580531,
                  0.59983220655588793769,
                  1.0);
    }
    return q < 0 ? -tail : tail;
  }

  /**
   * Returns the share below {@code z}, the inverse of {@link #quantile}, by bisection. Slow; for
   * set-up only.
   */
  public static double share(double z) {
    double below = 1e-300;
    double above = 1 - 1e-16;
    if (z <= quantile(below)) {
      return 0;
    }
    if (z >= quantile(above)) {
      return 1;
    }
    for (int i = 0; i < 200 && above - below > Math.ulp(below); i++) {
      double middle = (below + above) / 2;
      if (quantile(middle) < z) {
        below = middle;
      } else {
        above = middle;
      }
    }
    return (below + above) / 2;
  }

  private static double horner(double x, double... coefficients) {
    double sum = 0;
    for (double coefficient : coefficients) {
      sum = sum * x + coefficient;
    }
    return sum;
  }
}
