package org.fedometer.analysis.statistics;

/**
 * What is shown of one metric of one contender: the ratio to the baseline, its interval, and what
 * may be said of it. Immutable, safe on any thread.
 *
 * @param ratio contender / baseline in the metric's own unit; NaN where one of them is 0, or not
 *     known
 * @param low lower bound of the ratio, adjusted like the verdict
 * @param confidence of the family of comparisons that it was judged with, such as 0.95
 * @param pValue of no difference, by itself
 * @param adjustedPValue the same, adjusted for the family; below {@code 1 - confidence} just where
 *     the interval excludes 1
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
