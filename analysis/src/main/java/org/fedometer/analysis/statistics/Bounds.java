package org.fedometer.analysis.statistics;

/**
 * An interval, in the unit of what it is about.
 *
 * @param low lower bound
 * @param high upper bound
 */
public record Bounds(double low, double high) {}
