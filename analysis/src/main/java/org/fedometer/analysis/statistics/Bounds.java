package org.fedometer.analysis.statistics;

/** An interval, in the unit of what it is about. */
public record Bounds(double low, double high) {}
