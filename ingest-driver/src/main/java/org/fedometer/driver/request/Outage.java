package org.fedometer.driver.request;

/**
 * A stretch of time in which Fedora was out of reach.
 *
 * @param startNanos {@code System.nanoTime()} when it was noticed
 * @param endNanos when Fedora answered again, or the run gave up
 * @param reason what the first failing request said
 */
public record Outage(long startNanos, long endNanos, String reason) {}
