package org.fedometer.store.seal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.fedometer.store.Table;
import org.fedometer.store.parquet.PageCompressor;
import org.fedometer.store.rollup.Rollup;

/**
 * Writes rollups of unsealed segments for queries. Not synced, since they can be recomputed from
 * the segment. One thread at a time; reuse it, as it keeps some megabytes of memory.
 */
public final class LiveRollupWriter implements Closeable {
  private PageCompressor pages;

  /**
   * Replaces the file atomically: a reader sees the old or the new one.
   *
   * @param file a path of {@link org.fedometer.store.rollup.LiveRollupFile}
   */
  public void write(Path file, List<Rollup> rollups) throws IOException {
    if (pages == null) {
      pages = new PageCompressor();
    }
    Path aside = file.resolveSibling(file.getFileName() + ".tmp");
    try (TableFile table = TableFile.create(Table.ROLLUPS, aside, pages)) {
      for (Rollup rollup : rollups) {
        addRow(table, rollup);
      }
      table.finish();
    }
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static void addRow(TableFile table, Rollup rollup) throws IOException {
    table
        .row()
        .add(rollup.beginEpochSeconds())
        .add(rollup.stage())
        .add(rollup.count())
        .add(rollup.failed())
        .add(rollup.sumDurationNanos())
        .add(rollup.sumSelfNanos())
        .add(rollup.minNanos())
        .add(rollup.maxNanos())
        .add(rollup.histogram())
        .end();
  }

  /** Releases zstd; the next write opens another. */
  @Override
  public void close() {
    if (pages != null) {
      pages.close();
      pages = null;
    }
  }
}
