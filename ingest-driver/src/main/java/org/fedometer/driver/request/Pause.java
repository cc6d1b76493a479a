package org.fedometer.driver.request;

/**
 * A stretch of time in which nothing was sent because somebody asked for it.
 *
 * @param startNanos {@code System.nanoTime()} when it was asked for
 * @param endNanos when the load went on, or ended
 */
public record Pause(long startNanos, long endNanos) {}
