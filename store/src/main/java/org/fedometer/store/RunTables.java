package org.fedometer.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.fedometer.store.query.SqlText;
import org.fedometer.store.query.TableFiles.Snapshot;
import org.fedometer.store.rollup.FileSums;

/**
 * The sealed tables of one or many runs, as view definitions. Every column of {@link Table} exists,
 * null if an older file lacks it; columns of later versions are hidden. Creating a view opens no
 * file.
 */
final class RunTables {
  private static final int MAX_LISTINGS = 20;

  private RunTables() {}

  static Snapshot of(RunFolder run) throws IOException {
    List<Path> maybeLive = liveOf(run);
    Map<Table, List<Path>> files = filesOf(run);
    files.get(Table.ROLLUPS).addAll(RunFolder.stillLive(maybeLive, files.get(Table.ROLLUPS)));
    return of(files);
  }

  static Snapshot of(Map<Table, List<Path>> files) {
    Map<String, String> views = new LinkedHashMap<>();
    for (Table table : Table.values()) {
      String rows = rows(table, "", table.typedNulls(), files.getOrDefault(table, List.of()));
      views.put(table.tableName(), table.selectFrom(rows));
    }
    views.putAll(sampleFiles(files.getOrDefault(Table.SAMPLES, List.of())));
    return new Snapshot(views, flat(files));
  }

  /**
   * @param runsDirectory parent of the runs' folders; a file's path gives its run's name, so that a
   *     condition on the run avoids opening files of others
   */
  static Snapshot ofAll(Path runsDirectory, List<RunFolder> runs) throws IOException {
    Map<Table, List<Path>> files = new EnumMap<>(Table.class);
    for (Table table : Table.values()) {
      files.put(table, new ArrayList<>());
    }
    for (RunFolder run : runs) {
      List<Path> maybeLive = liveOf(run);
      Map<Table, List<Path>> ofRun = filesOf(run);
      files.get(Table.ROLLUPS).addAll(RunFolder.stillLive(maybeLive, ofRun.get(Table.ROLLUPS)));
      ofRun.forEach((table, of) -> files.get(table).addAll(of));
    }
    String run = "split_part(filename, '/', " + (runsDirectory.getNameCount() + 2) + ") AS run, ";
    Map<String, String> views = new LinkedHashMap<>();
    files.forEach(
        (table, of) -> {
          String rows = rows(table, run, "NULL::VARCHAR AS run, " + table.typedNulls(), of);
          views.put(table.tableName(), table.selectFromRuns(rows));
        });
    return new Snapshot(views, flat(files));
  }

  /**
   * Returns views of the sealed sample files with their own sums, and of samples with their file; a
   * condition on the file avoids opening the others.
   */
  private static Map<String, String> sampleFiles(List<Path> files) {
    String file = "parse_filename(%s) AS file, ";
    String nulls = "NULL::VARCHAR AS file, ";
    String sums =
        files.isEmpty()
            ? "SELECT " + nulls + "NULL::VARCHAR AS sums WHERE false"
            : """
              SELECT %1$sdecode(value) AS sums FROM (SELECT unnest(%2$s) AS file_name)
              LEFT JOIN (FROM parquet_kv_metadata(%2$s) WHERE decode(key) = '%3$s')
              USING (file_name)"""
                .formatted(
                    file.formatted("file_name"), SqlText.files(files), FileSums.METADATA_KEY);
    String rows =
        rows(Table.SAMPLES, file.formatted("filename"), nulls + Table.SAMPLES.typedNulls(), files);
    return Map.of("sample_files", sums, "samples_by_file", Table.SAMPLES.selectFrom(rows));
  }

  private static String rows(Table table, String run, String nulls, List<Path> files) {
    if (files.isEmpty()) {
      return "(SELECT " + nulls + " WHERE false)";
    }
    String schema =
        table.columns().stream()
            .map(column -> column.split(" "))
            .map(
                parts ->
                    "'%1$s': {name: '%1$s', type: '%2$s', default_value: NULL}"
                        .formatted(parts[0], parts[1]))
            .collect(Collectors.joining(", ", "MAP {", "}"));
    String columns =
        table.columns().stream()
            .map(column -> column.split(" ")[0])
            .collect(Collectors.joining(", "));
    return "(SELECT %s%s FROM read_parquet(%s, filename = true, schema = %s))"
        .formatted(run, columns, SqlText.files(files), schema);
  }

  /** Must be listed before the sealed files, so that data sealed meanwhile is in either. */
  private static List<Path> liveOf(RunFolder run) throws IOException {
    return isLink(run.segmentDirectory()) ? List.of() : run.liveRollupFiles();
  }

  private static List<Path> flat(Map<Table, List<Path>> files) {
    return files.values().stream().flatMap(List::stream).toList();
  }

  private static Map<Table, List<Path>> filesOf(RunFolder run) throws IOException {
    Map<Table, List<Path>> files = new EnumMap<>(Table.class);
    for (Table table : Table.values()) {
      files.put(table, new ArrayList<>(filesOf(run, table)));
    }
    return files;
  }

  /**
   * Repeats the listing until two are equal: a listing during a merge can miss both old and new
   * files.
   */
  private static List<Path> filesOf(RunFolder run, Table table) throws IOException {
    if (isLink(run.path().resolve("tables")) || isLink(run.tableDirectory(table))) {
      return List.of();
    }
    List<Path> files = run.tableFiles(table);
    for (int i = 0; i < MAX_LISTINGS; i++) {
      List<Path> again = run.tableFiles(table);
      if (again.equals(files)) {
        break;
      }
      files = again;
    }
    // A file that has disappeared stays in the list: the query then fails, and is repeated.
    return files;
  }

  /** Links could lead out of the store; Fedometer creates none. */
  private static boolean isLink(Path path) {
    return Files.isSymbolicLink(path);
  }
}
