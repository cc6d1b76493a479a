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
 * What of a run was sealed when the collector opened it. All that was not comes frame by frame: so
 * each row counts once, in one of the two. Immutable.
 *
 * <p>Segments are sealed table by table, and go when all tables are there: after a crash in between
 * a frame may come whose rows are in a table already, hence a look at each.
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

  /**
   * Lists files, and opens none. To be called before anything is sealed of what comes frame by
   * frame.
   */
  static SealedBefore of(RunFolder run) throws IOException {
    Map<Table, List<Path>> files = new EnumMap<>(Table.class);
    Map<Table, Set<SegmentName>> names = new EnumMap<>(Table.class);
    for (Table table : TABLES) {
      // Links could lead out of the store; nothing of ours makes one.
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

  /** Requests count by their rollups: where those are still to be sealed, frames tell of both. */
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

  /** Whether the tables have what a frame in the segment of that name says. */
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
