package org.fedometer.store.rollup;

import java.nio.file.Path;

/**
 * Path of an unsealed segment's rollups: beside the segment, as a file of the table {@code
 * rollups}. Stateless.
 */
public final class LiveRollupFile {
  private static final String SUFFIX = ".rollups.parquet";

  private LiveRollupFile() {}

  public static Path of(Path segment) {
    return segment.resolveSibling(segment.getFileName() + SUFFIX);
  }

  /** Returns the segment of a file, null for any other file. */
  public static Path segmentOf(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(SUFFIX)
        ? file.resolveSibling(name.substring(0, name.length() - SUFFIX.length()))
        : null;
  }
}
