package org.fedometer.store.seal;

/**
 * What became of a segment.
 *
 * @param samples rows sealed
 * @param requests rows sealed
 * @param traces rows sealed
 * @param logLines rows sealed
 * @param unreadableFrames frames of a known type that could not be decoded, so that they are lost
 */
public record SealResult(
    long samples, long requests, long traces, long logLines, long unreadableFrames) {}
