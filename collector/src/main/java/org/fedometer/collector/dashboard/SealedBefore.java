package org.fedometer.collector.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fedometer.store.RunFolder;
import org.fedometer.store.SegmentName;
import org.fedometer.store.Table;
import org.fedometer.wire.FrameType;

/**
 * Knows the part of a run that was sealed when the collector opened it. The rest arrives as frames,
 * so each row counts once. Immutable.
 *
 * <p>Segments are sealed table by table and deleted when all tables exist. After a crash, a frame
 * may repeat rows of a table, so each frame is checked.
 */
final class SealedBefore {
  private static final Set<Table> TABLES =
      EnumSet.of(
          Table.ROLLUPS,
          Table.REQUESTS,
          Table.GC,
          Table.TELEMETRY,
          Table.LOGS,
          Table.SOURCES,
          Table.TOTALS);

  private final Map<Table, List<Path>> files;
  private final Map<Table, Set<SegmentName>> names;

  private SealedBefore(Map<Table, List<Path>> files, Map<Table, Set<SegmentName>> names) {
    this.files = files;
    this.names = names;
  }

  /** Lists files without opening them. Call before any of the arriving frames are sealed. */
  static SealedBefore of(RunFolder run) throws IOException {
    Map<Table, List<Path>> files = new EnumMap<>(Table.class);
    Map<Table, Set<SegmentName>> names = new EnumMap<>(Table.class);
    for (Table table : TABLES) {
      // Links could lead out of the store; Fedometer creates none.
      List<Path> ofTable =
          run.tableFiles(table).stream().filter(file -> !Files.isSymbolicLink(file)).toList();
      files.put(table, ofTable);
      Set<SegmentName> ofNames = new HashSet<>();
      ofTable.forEach(file -> SegmentName.ofSealed(file).ifPresent(ofNames::add));
      names.put(table, ofNames);
    }
    files.computeIfPresent(
        Table.REQUESTS,
        (table, ofTable) ->
            ofTable.stream()
                .filter(file -> !comesAgain(run, file, names.get(Table.ROLLUPS)))
                .toList());
    return new SealedBefore(files, names);
  }

  /**
   * Returns whether frames will repeat a file. Requests count by their rollups: if those are
   * unsealed, frames contain both.
   */
  private static boolean comesAgain(RunFolder run, Path file, Set<SegmentName> rollups) {
    return SegmentName.ofSealed(file)
        .filter(name -> !includes(rollups, name.part(0)))
        .filter(name -> Files.exists(run.segmentDirectory().resolve(name.segmentFile())))
        .isPresent();
  }

  private static boolean includes(Set<SegmentName> sealed, SegmentName segment) {
    return sealed.stream()
        .map(name -> name.part(0))
        .anyMatch(name -> name.equals(segment) || name.covers(segment));
  }

  boolean isEmpty() {
    return files.values().stream().allMatch(List::isEmpty);
  }

  Map<Table, List<Path>> files() {
    return files;
  }

  /** Returns whether the tables contain the data of a frame in the named segment. */
  boolean has(FrameType type, String segment) {
    Table table = tableOf(type);
    if (table == null || names.get(table).isEmpty()) {
      return false;
    }
    return SegmentName.ofSegment(Path.of(segment))
        .filter(of -> includes(names.get(table), of))
        .isPresent();
  }

  private static Table tableOf(FrameType type) {
    return switch (type) {
      case SAMPLES, REQUESTS -> Table.ROLLUPS;
      case GC -> Table.GC;
      case TELEMETRY -> Table.TELEMETRY;
      case LOGS -> Table.LOGS;
      default -> null;
    };
  }
}
