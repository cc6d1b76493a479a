package org.fedometer.store.rollup;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.List;

/**
 * The rollups of a segment that is not sealed yet, beside it, for those who ask meanwhile: a CSV
 * file with the columns of the table and the histogram in Base64. Not synced: it can always be made
 * again from the segment. Stateless.
 */
public final class LiveRollupFile {
  private static final String SUFFIX = ".rollups.csv";

  private static final int BUFFER_BYTES = 64 * 1024;

  private LiveRollupFile() {}

  /**
   * The file that belongs to a segment.
   *
   * @param segment the segment's own file
   */
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

  /** Replaces the file at once: a reader sees the old or the new one. */
  public static void write(Path file, List<Rollup> rollups) throws IOException {
    Base64.Encoder base64 = Base64.getEncoder();
    Path aside = file.resolveSibling(file.getFileName() + ".tmp");
    StringBuilder row = new StringBuilder();
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(aside), BUFFER_BYTES)) {
      for (Rollup rollup : rollups) {
        row.setLength(0);
        row.append(rollup.beginEpochSeconds())
            .append(",\"")
            .append(rollup.stage().replace("\"", "\"\""))
            .append("\",")
            .append(rollup.count())
            .append(',')
            .append(rollup.failed())
            .append(',')
            .append(rollup.sumTotalNanos())
            .append(',')
            .append(rollup.sumOwnNanos())
            .append(',')
            .append(rollup.minNanos())
            .append(',')
            .append(rollup.maxNanos())
            .append(',');
        out.write(row.toString().getBytes(StandardCharsets.UTF_8));
        out.write(base64.encode(rollup.histogram()));
        out.write('\n');
      }
    }
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * A query for the rows of such files.
   *
   * @param files at least one
   * @param moreColumns to come first, made of {@code filename}, with a comma at their end; or empty
   */
  public static String rowsOf(List<Path> files, String moreColumns) {
    StringBuilder list = new StringBuilder();
    for (Path file : files) {
      list.append(list.length() == 0 ? "'" : ", '")
          .append(file.toString().replace("'", "''"))
          .append('\'');
    }
    return "SELECT "
        + moreColumns
        + "* EXCLUDE (filename) REPLACE (coalesce(stage, '') AS stage, from_base64(histogram) AS histogram) FROM read_csv(["
        + list
        + "], filename = true, header = false, auto_detect = false, new_line = '\\n', delim = ',', quote = '\"', escape = '\"',"
        + " columns = {begin_epoch_seconds: 'BIGINT', stage: 'VARCHAR', count: 'BIGINT',"
        + " failed: 'BIGINT', sum_total_nanos: 'BIGINT', sum_own_nanos: 'BIGINT',"
        + " min_nanos: 'BIGINT', max_nanos: 'BIGINT', histogram: 'VARCHAR'})";
  }
}
