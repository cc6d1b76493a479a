package org.fedometer.store.seal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.SegmentName;
import org.fedometer.store.Table;
import org.fedometer.store.parquet.ParquetEnd;
import org.fedometer.store.query.SqlText;
import org.fedometer.store.rollup.FileSums;
import org.fedometer.wire.disk.Durable;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Merges many small files into few large ones, since a monitoring run gets one file per minute and
 * table for months. Readers need no notice: a merged file's name includes the files that it
 * replaces, and those stay for a while. For the collector's sealing thread.
 */
public final class Merger {
  private static final int MIN_FILES = 8;
  private static final int MAX_FILES = 64;

  /** Larger files, such as those of full segments, are not merged. */
  private static final long MAX_MERGED_INPUT_BYTES = 16L << 20;

  /** Files up to this size count as equal. */
  private static final long EQUAL_SIZE_BYTES = 4L << 10;

  private final String storeId;
  private final long memoryBytes;

  /**
   * @param storeId store whose files are merged; those of other stores may be incomplete here
   * @param memoryBytes DuckDB's limit, beyond which it spills to disk
   */
  public Merger(String storeId, long memoryBytes) {
    this.storeId = storeId;
    this.memoryBytes = memoryBytes;
  }

  private record Sealed(SegmentName name, Path file, long sizeBytes) {
    /** Sizes of files of one level differ at most by a factor of four. */
    int level() {
      long units = Math.max(sizeBytes, EQUAL_SIZE_BYTES) / EQUAL_SIZE_BYTES;
      return (Long.SIZE - 1 - Long.numberOfLeadingZeros(units)) / 2;
    }
  }

  /**
   * @param merged number of files merged into others
   * @param remaining number of covered files kept until the grace period ends
   */
  public record CompactionResult(int merged, int remaining) {}

  /**
   * Merges files if that pays off, and deletes files that were merged long enough ago.
   *
   * @param grace how long readers may still use a file that they have listed
   * @throws IOException all files are still valid
   */
  public CompactionResult compact(RunFolder run, Duration grace) throws IOException {
    int merged = 0;
    int left = 0;
    for (Table table : Table.values()) {
      left += deleteCovered(run, table, grace);
      List<Sealed> worthIt = filesToMerge(run, table);
      if (!worthIt.isEmpty()) {
        merge(run, table, worthIt);
        merged += worthIt.size();
      }
    }
    return new CompactionResult(merged, left + merged);
  }

  /** Returns the number of this store's remaining covered files. */
  private int deleteCovered(RunFolder run, Table table, Duration grace) throws IOException {
    int left = 0;
    List<Path> standing = null;
    for (Path file : run.coveredFiles(table)) {
      SegmentName name = SegmentName.ofSealed(file).orElseThrow();
      if (!name.storeId().equals(storeId)) {
        continue;
      }
      standing = standing == null ? run.tableFiles(table) : standing;
      Path larger =
          standing.stream()
              .filter(other -> SegmentName.ofSealed(other).filter(o -> o.covers(name)).isPresent())
              .findFirst()
              .orElse(null);
      if (larger != null && isOlderThan(grace, larger) && ParquetEnd.isComplete(larger)) {
        Files.deleteIfExists(file);
      } else {
        left++;
      }
    }
    return left;
  }

  private static boolean isOlderThan(Duration grace, Path file) throws IOException {
    return !Files.getLastModifiedTime(file).toInstant().plus(grace).isAfter(Instant.now());
  }

  /** Returns adjacent files to merge; empty if that does not pay off. */
  private List<Sealed> filesToMerge(RunFolder run, Table table) throws IOException {
    List<Sealed> files = new ArrayList<>();
    for (Path file : run.tableFiles(table)) {
      SegmentName name = SegmentName.ofSealed(file).orElse(null);
      if (name != null && name.storeId().equals(storeId) && name.partBytes() == 0) {
        files.add(new Sealed(name, file, Files.size(file)));
      }
    }
    if (files.size() < MIN_FILES) {
      return List.of();
    }
    List<SegmentName> unsealed =
        run.segmentFiles().stream()
            .flatMap(segment -> SegmentName.ofSegment(segment).stream())
            .filter(segment -> segment.storeId().equals(storeId))
            .toList();
    List<Sealed> neighbours = new ArrayList<>();
    for (Sealed file : files) {
      if (file.sizeBytes() > MAX_MERGED_INPUT_BYTES || isOpenBetween(neighbours, file, unsealed)) {
        List<Sealed> worthIt = selectFiles(neighbours);
        if (!worthIt.isEmpty()) {
          return worthIt;
        }
        neighbours.clear();
      }
      if (file.sizeBytes() <= MAX_MERGED_INPUT_BYTES) {
        neighbours.add(file);
      }
    }
    return selectFiles(neighbours);
  }

  /** A merged file must not cover a segment that is sealed later. */
  private static boolean isOpenBetween(
      List<Sealed> before, Sealed after, List<SegmentName> unsealed) {
    if (before.isEmpty()) {
      return false;
    }
    int first = before.get(before.size() - 1).name().first();
    return unsealed.stream()
        .anyMatch(segment -> segment.first() >= first && segment.first() <= after.name().last());
  }

  /**
   * Groups small files with larger ones after them. So no level ever has more than seven, and a row
   * is rewritten about as often as there are levels.
   */
  private static List<Sealed> selectFiles(List<Sealed> neighbours) {
    int begin = 0;
    while (neighbours.size() - begin >= MIN_FILES) {
      int highest = -1;
      int end = begin;
      for (int i = begin; i < neighbours.size(); i++) {
        if (neighbours.get(i).level() >= highest) {
          highest = neighbours.get(i).level();
          end = i + 1;
        }
      }
      if (end - begin >= MIN_FILES) {
        return neighbours.subList(begin, Math.min(end, begin + MAX_FILES));
      }
      begin = end;
    }
    return List.of();
  }

  private void merge(RunFolder run, Table table, List<Sealed> files) throws IOException {
    SegmentName merged =
        new SegmentName(
            storeId, files.get(0).name().first(), files.get(files.size() - 1).name().last());
    Path scratch = run.segmentDirectory().resolve("merge.tmp");
    RunDeletion.delete(scratch);
    // Without parents: a run deleted meanwhile must not be created again.
    PrivateFiles.createFolder(scratch);
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute("SET memory_limit = '" + memoryBytes / 1024 + "KiB'");
      statement.execute("SET threads = 1");
      statement.execute("SET temp_directory = " + SqlText.literal(scratch.resolve("spill")));
      String list = SqlText.files(files.stream().map(Sealed::file).toList());
      String rows = "read_parquet(" + list + ", union_by_name = true)";
      Map<String, String> sums =
          table == Table.SAMPLES ? sums(statement, list, files.size()) : Map.of();
      Path aside = scratch.resolve(table.tableName() + ".parquet");
      ParquetCopy.write(database, table.mergedFrom(rows), aside, sums);
      PrivateFiles.restrict(aside);
      Durable.moveIntoPlace(aside, run.tableDirectory(table).resolve(merged.sealedFile()));
    } catch (SQLException e) {
      throw new IOException(
          "The files of %s in %s cannot be merged: %s"
              .formatted(table.tableName(), run.path(), e.getMessage()),
          e);
    } finally {
      RunDeletion.delete(scratch);
    }
  }

  /** Returns the sums for the merged file; empty unless all files have them. */
  private static Map<String, String> sums(Statement statement, String list, int files)
      throws SQLException {
    FileSums all = new FileSums();
    int found = 0;
    try (ResultSet texts =
        statement.executeQuery(
            "SELECT decode(value) FROM parquet_kv_metadata(%s) WHERE decode(key) = '%s'"
                .formatted(list, FileSums.METADATA_KEY))) {
      while (texts.next()) {
        all.addAll(FileSums.parse(texts.getString(1)));
        found++;
      }
    } catch (IOException e) {
      // Treated as absent: the samples can be read.
      return Map.of();
    }
    String text = found == files ? all.toText() : null;
    return text == null ? Map.of() : Map.of(FileSums.METADATA_KEY, text);
  }
}
