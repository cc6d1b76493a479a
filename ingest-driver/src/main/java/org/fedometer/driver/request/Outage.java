package org.fedometer.driver.request;

/**
 * A period in which Fedora was out of reach.
 *
 * @param startNanos {@code System.nanoTime()} when it was noticed
 * @param endNanos when Fedora answered again, or the run gave up
 * @param reason message of the first failed request
 */
public record Outage(long startNanos, long endNanos, String reason) {}
