package org.fedometer.analysis.statistics;

/**
 * A metric's result for one contender: the ratio to the baseline, its interval, and the verdict.
 * Immutable, safe on any thread.
 *
 * @param ratio contender / baseline in the metric's own unit; NaN if one of them is 0 or unknown
 * @param low lower bound of the ratio, adjusted like the verdict
 * @param confidence of its family of comparisons, such as 0.95
 * @param pValue of no difference, unadjusted
 * @param adjustedPValue adjusted for the family; below {@code 1 - confidence} exactly if the
 *     interval excludes 1
 * @param scope which variation the interval covers
 */
public record RatioEstimate(
    Metric metric,
    double ratio,
    double low,
    double high,
    double confidence,
    double pValue,
    double adjustedPValue,
    Scope scope,
    Verdict verdict) {}
