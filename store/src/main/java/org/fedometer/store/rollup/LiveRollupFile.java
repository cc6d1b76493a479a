package org.fedometer.store.rollup;

import java.nio.file.Path;

/**
 * Where the rollups of a segment lie that is not sealed yet: beside it, as a file of the table
 * {@code rollups}. Stateless.
 */
public final class LiveRollupFile {
  private static final String SUFFIX = ".rollups.parquet";

  private LiveRollupFile() {}

  public static Path of(Path segment) {
    return segment.resolveSibling(segment.getFileName() + SUFFIX);
  }

  /** The segment that a file belongs to, null for any other file. */
  public static Path segmentOf(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(SUFFIX)
        ? file.resolveSibling(name.substring(0, name.length() - SUFFIX.length()))
        : null;
  }
}
