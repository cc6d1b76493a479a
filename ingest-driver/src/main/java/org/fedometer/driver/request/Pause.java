package org.fedometer.driver.request;

/**
 * A requested period without sending.
 *
 * @param startNanos {@code System.nanoTime()} of the request
 * @param endNanos when the load resumed or ended
 */
public record Pause(long startNanos, long endNanos) {}
