package org.fedometer.analysis.statistics;

/**
 * A least-squares line whose error allows for dependent residuals ({@link SizeSlope} names the
 * source). Pure.
 *
 * @param intercept y where x is 0
 * @param slope units of y per unit of x
 * @param standardError of the slope
 * @param degreesOfFreedom of Student's t for the slope, at least 1
 * @param squares sum of the squared residuals
 */
record Line(
    double intercept, double slope, double standardError, double degreesOfFreedom, double squares) {

  /** Fits a line to three points or more, not all of one x. */
  static Line through(double[] x, double[] y) {
    int n = x.length;
    double meanX = 0;
    double meanY = 0;
    for (int i = 0; i < n; i++) {
      meanX += x[i] / n;
      meanY += y[i] / n;
    }
    double spreadX = 0;
    double product = 0;
    for (int i = 0; i < n; i++) {
      spreadX += (x[i] - meanX) * (x[i] - meanX);
      product += (x[i] - meanX) * (y[i] - meanY);
    }
    double slope = product / spreadX;
    double squares = 0;
    double neighbours = 0;
    double previous = 0;
    for (int i = 0; i < n; i++) {
      double residual = y[i] - meanY - slope * (x[i] - meanX);
      squares += residual * residual;
      neighbours += residual * previous;
      previous = residual;
    }
    double effective = effectiveSize(n, squares > 0 ? neighbours / squares : 0, 2);
    double standardError = Math.sqrt(squares / (effective - 2) / spreadX);
    return new Line(meanY - slope * meanX, slope, standardError, effective - 2, squares);
  }

  /**
   * Returns the equivalent number of independent residuals. The autocorrelation of n residuals of a
   * model with p parameters is biased by about {@code -(p + 4 r) / n}, which is corrected; negative
   * ones are ignored.
   */
  static double effectiveSize(int n, double autocorrelation, int parameters) {
    double unbiased = autocorrelation + (parameters + 4 * autocorrelation) / n;
    double r = Math.max(0, Math.min(0.99, unbiased));
    return Math.max(3, n * (1 - r) / (1 + r));
  }

  double at(double x) {
    return intercept + slope * x;
  }
}
