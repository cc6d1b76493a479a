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
 * The sealed tables of one run, or of many, as what views of them select. Every column of {@link
 * Table} is there, null where an older file lacks it; columns of a later version are not seen.
 * Making a view opens no file.
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
   * @param runsDirectory holds the runs' folders; a run's name is read from the path of a file, so
   *     that a condition on the run keeps files of others from being opened
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
   * The sealed files of samples with the sums that they say of themselves, and samples with the
   * file that each is in; a condition on the file keeps the others from being opened.
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

  /** To be listed before the sealed files, lest what is sealed meanwhile be in neither. */
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
   * A listing under way while files are merged can miss both the old and the new ones; two equal
   * ones cannot.
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
    // One that has gone stays in the list: the question then fails, and is asked again.
    return files;
  }

  /** Links could lead out of the store; nothing of ours makes one. */
  private static boolean isLink(Path path) {
    return Files.isSymbolicLink(path);
  }
}
