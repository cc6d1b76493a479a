package org.fedometer.analysis.statistics;

/**
 * A straight line by least squares, with an error that allows for residuals that depend on their
 * neighbours ({@link SizeSlope} names the source). Pure.
 *
 * @param intercept where x is 0
 * @param slope units of y for one of x
 * @param standardError of the slope
 * @param degreesOfFreedom of Student's t for the slope, 1 or more
 * @param squares sum of the squared residuals
 */
record Line(
    double intercept, double slope, double standardError, double degreesOfFreedom, double squares) {

  /** Three points or more, not all of one x. */
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
    double effective = effectiveSize(n, squares > 0 ? neighbours / squares : 0);
    double standardError = Math.sqrt(squares / (effective - 2) / spreadX);
    return new Line(meanY - slope * meanX, slope, standardError, effective - 2, squares);
  }

  /**
   * As how many independent residuals these count. The autocorrelation of n residuals of a line is
   * too small by about {@code (1 + 4 r) / n}, which is added; a negative one is not made use of.
   */
  private static double effectiveSize(int n, double autocorrelation) {
    double unbiased = autocorrelation + (1 + 4 * autocorrelation) / n;
    double r = Math.max(0, Math.min(0.99, unbiased));
    return Math.max(3, n * (1 - r) / (1 + r));
  }

  double at(double x) {
    return intercept + slope * x;
  }
}
