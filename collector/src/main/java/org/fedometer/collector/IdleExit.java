package org.fedometer.collector;

import java.time.Duration;

/**
 * When a collector ends by itself.
 *
 * @param idle how long after its last connection
 * @param grace how long it waits for the first connection
 */
public record IdleExit(Duration idle, Duration grace) {}
