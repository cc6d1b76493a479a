package org.fedometer.driver.request;

/**
 * A change of a running load.
 *
 * @param atNanos {@code System.nanoTime()}
 * @param workers concurrent requests from then on
 * @param ratePerSecond objects due per second from then on, or null in a closed model
 */
public record LoadChange(long atNanos, int workers, Double ratePerSecond) {}
