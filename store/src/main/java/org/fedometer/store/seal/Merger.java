package org.fedometer.store.seal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.fedometer.store.Disposal;
import org.fedometer.store.Durable;
import org.fedometer.store.RunFolder;
import org.fedometer.store.SegmentName;
import org.fedometer.store.Table;

/**
 * Makes few large files of many small ones: a run that is watched for months gets one file a minute
 * and table. Readers need not be told: a merged file's name says which files it stands for, and
 * those stay for a while. For the collector's sealing thread.
 */
public final class Merger {
  private static final int LEAST_FILES = 8;
  private static final int MOST_FILES = 64;

  /** Files beyond the last size are left as they are. */
  private static final long[] SIZES = {64L << 10, 512L << 10, 4L << 20, 32L << 20};

  /** A file is merged only with so many times its size, lest it be written again and again. */
  private static final int LEAST_GROWTH = 4;

  private final String storeId;
  private final String memoryLimit;

  /**
   * @param storeId whose files are merged; those of other stores may not all be here
   * @param memoryLimit what DuckDB may use, such as {@code 256MB}
   */
  public Merger(String storeId, String memoryLimit) {
    this.storeId = storeId;
    this.memoryLimit = memoryLimit;
  }

  private record Sealed(SegmentName name, Path file, long sizeBytes) {}

  /**
   * Merges what is worth it, and deletes what was merged long enough ago.
   *
   * @param grace how long readers that know a file's name may still need it
   * @return how many files were merged into others
   * @throws IOException all files are as good as before
   */
  public int tidy(RunFolder run, Duration grace) throws IOException {
    int merged = 0;
    for (Table table : Table.values()) {
      deleteCovered(run, table, grace);
      Optional<List<Sealed>> worthIt = worthMerging(run, table);
      if (worthIt.isPresent()) {
        merge(run, table, worthIt.get());
        merged += worthIt.get().size();
      }
    }
    return merged;
  }

  private void deleteCovered(RunFolder run, Table table, Duration grace) throws IOException {
    List<Path> covered = run.coveredFiles(table);
    if (covered.isEmpty()) {
      return;
    }
    List<Path> standing = run.tableFiles(table);
    Instant now = Instant.now();
    for (Path file : covered) {
      SegmentName name = SegmentName.ofSealed(file).orElseThrow();
      for (Path other : standing) {
        if (SegmentName.ofSealed(other).filter(larger -> larger.covers(name)).isPresent()
            && Files.getLastModifiedTime(other).toInstant().plus(grace).isBefore(now)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /** Neighbours of about the same size, the smallest first. */
  private Optional<List<Sealed>> worthMerging(RunFolder run, Table table) throws IOException {
    List<Sealed> files = new ArrayList<>();
    for (Path file : run.tableFiles(table)) {
      SegmentName name = SegmentName.ofSealed(file).orElse(null);
      if (name != null && name.storeId().equals(storeId)) {
        files.add(new Sealed(name, file, Files.size(file)));
      }
    }
    if (files.size() < LEAST_FILES) {
      return Optional.empty();
    }
    List<SegmentName> unsealed =
        run.segmentFiles().stream()
            .flatMap(segment -> SegmentName.ofSegment(segment).stream())
            .filter(segment -> segment.storeId().equals(storeId))
            .toList();
    for (long size : SIZES) {
      List<Sealed> neighbours = new ArrayList<>();
      for (Sealed file : files) {
        if (file.sizeBytes() > size || isOpenBetween(neighbours, file, unsealed)) {
          if (isWorthIt(neighbours)) {
            return Optional.of(neighbours);
          }
          neighbours = new ArrayList<>();
        }
        if (file.sizeBytes() <= size) {
          neighbours.add(file);
        }
        if (neighbours.size() == MOST_FILES) {
          break;
        }
      }
      if (isWorthIt(neighbours)) {
        return Optional.of(neighbours);
      }
    }
    return Optional.empty();
  }

  /** A segment that is sealed late must not find its place taken by a merged file. */
  private static boolean isOpenBetween(
      List<Sealed> before, Sealed after, List<SegmentName> unsealed) {
    if (before.isEmpty()) {
      return false;
    }
    int first = before.get(before.size() - 1).name().first();
    return unsealed.stream()
        .anyMatch(segment -> segment.first() >= first && segment.first() <= after.name().last());
  }

  private static boolean isWorthIt(List<Sealed> files) {
    long sum = files.stream().mapToLong(Sealed::sizeBytes).sum();
    long largest = files.stream().mapToLong(Sealed::sizeBytes).max().orElse(0);
    return files.size() >= LEAST_FILES && sum >= LEAST_GROWTH * largest;
  }

  private void merge(RunFolder run, Table table, List<Sealed> files) throws IOException {
    SegmentName merged =
        new SegmentName(
            storeId, files.get(0).name().first(), files.get(files.size() - 1).name().last());
    Path scratch = run.segmentDirectory().resolve("merge.tmp");
    Disposal.delete(scratch);
    Durable.createDirectories(scratch);
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute("SET memory_limit = '" + memoryLimit + "'");
      statement.execute("SET threads = 1");
      statement.execute("SET temp_directory = '" + Sealer.escaped(scratch.resolve("spill")) + "'");
      String rows =
          files.stream()
              .map(file -> "'" + Sealer.escaped(file.file()) + "'")
              .collect(Collectors.joining(", ", "read_parquet([", "], union_by_name = true)"));
      Path aside = scratch.resolve(table.tableName() + ".parquet");
      ParquetCopy.write(database, table.mergedFrom(rows), aside);
      Durable.moveIntoPlace(aside, run.tableDirectory(table).resolve(merged.sealedFile()));
    } catch (SQLException e) {
      throw new IOException(
          "The files of %s in %s cannot be merged: %s"
              .formatted(table.tableName(), run.path(), e.getMessage()),
          e);
    } finally {
      Disposal.delete(scratch);
    }
  }
}
