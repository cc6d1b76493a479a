package org.fedometer.store.seal;

/**
 * Sealed rows of a segment.
 *
 * @param unreadableFrames frames of a known type that could not be decoded, so that they are lost
 */
public record SealResult(
    long samples, long requests, long traces, long logLines, long unreadableFrames) {}
