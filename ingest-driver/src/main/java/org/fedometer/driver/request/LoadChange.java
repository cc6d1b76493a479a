package org.fedometer.driver.request;

/**
 * A load that was changed while it ran.
 *
 * @param atNanos {@code System.nanoTime()}
 * @param workers concurrent requests from then on
 * @param ratePerSecond objects due in a second from then on, or null in a closed model
 */
public record LoadChange(long atNanos, int workers, Double ratePerSecond) {}
