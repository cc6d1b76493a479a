package org.fedometer.store.seal;

import java.nio.file.Path;

/**
 * What became of a segment.
 *
 * @param segment now deleted
 * @param samples rows sealed
 * @param requests rows sealed
 * @param traces rows sealed
 * @param logLines rows sealed
 * @param unreadableFrames frames of a known type that could not be decoded, so that they are lost
 * @param tornBytes bytes behind the last whole record
 */
public record SealResult(
    Path segment,
    long samples,
    long requests,
    long traces,
    long logLines,
    long unreadableFrames,
    long tornBytes) {}
