package org.fedometer.collector;

import java.time.Duration;

/**
 * Conditions on which a collector exits by itself.
 *
 * @param idle time after its last connection
 * @param grace time to wait for the first connection
 */
public record IdleExit(Duration idle, Duration grace) {}
