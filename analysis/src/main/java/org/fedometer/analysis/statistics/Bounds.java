package org.fedometer.analysis.statistics;

/** An interval, in the unit of its quantity. */
public record Bounds(double low, double high) {}
