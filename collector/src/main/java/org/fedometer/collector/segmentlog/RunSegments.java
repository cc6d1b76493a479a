package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.fedometer.store.RunFolder;
import org.fedometer.store.SegmentName;
import org.fedometer.store.Table;
import org.fedometer.wire.FrameType;

/**
 * Segments of one run: their numbers, those waiting for sealing, and unsealed content of the open
 * one. For the segment log's thread.
 */
final class RunSegments {
  /** Not by name alone: names grow longer beyond 999,999. */
  private static final Comparator<Path> AS_WRITTEN =
      Comparator.comparing(
              (Path segment) -> SegmentName.ofSegment(segment).orElse(null),
              Comparator.nullsFirst(SegmentName.ORDER))
          .thenComparing(Comparator.naturalOrder());

  private final RunFolder folder;
  private final String storeId;

  /** Rotated segments that wait for sealing, with the number of frames per source. */
  private final TreeMap<Path, Map<UUID, Long>> unsealed = new TreeMap<>(AS_WRITTEN);

  private final Map<UUID, Long> framesInOpenBySource = new HashMap<>();

  private long framesInOpen;

  /** True if the open segment has a gap that is in no table. */
  private boolean gapsInOpen;

  private long oldestInOpenNanos;

  /**
   * @param storeId part of the segments' names
   */
  RunSegments(RunFolder folder, String storeId) {
    this.folder = folder;
    this.storeId = storeId;
  }

  // ---- the open segment ----

  boolean hasUnsealedFrames() {
    return framesInOpen > 0 || gapsInOpen;
  }

  long oldestInOpenNanos() {
    return oldestInOpenNanos;
  }

  void appended(Source source, FrameType type) {
    if (type != FrameType.CLOSE_RUN) {
      if (!hasUnsealedFrames()) {
        oldestInOpenNanos = System.nanoTime();
      }
      framesInOpen++;
    }
    count(framesInOpenBySource, source.hello.source());
  }

  static void count(Map<UUID, Long> frames, UUID source) {
    frames.merge(source, 1L, Long::sum);
  }

  /** Records a gap written to the open segment. */
  void gapAppended() {
    if (!hasUnsealedFrames()) {
      oldestInOpenNanos = System.nanoTime();
    }
    gapsInOpen = true;
  }

  /** Records a gap found in the open segment. */
  void gapRecovered() {
    gapsInOpen = true;
  }

  // ---- waiting segments ----

  Set<Path> unsealed() {
    return Collections.unmodifiableSet(unsealed.keySet());
  }

  /** Moves the open segment to those that wait. */
  void addUnsealed(Path segment) {
    unsealed.put(segment, new HashMap<>(framesInOpenBySource));
    framesInOpenBySource.clear();
    framesInOpen = 0;
    gapsInOpen = false;
  }

  /**
   * Adds a segment copied from another store, which is sealed but not continued.
   *
   * @return a map to fill with its frames per source
   */
  Map<UUID, Long> addForeignUnsealed(Path segment) {
    Map<UUID, Long> frames = new HashMap<>();
    unsealed.put(segment, frames);
    return frames;
  }

  void sealed(Path segment) {
    unsealed.remove(segment);
  }

  Map<UUID, Long> framesOf(Path segment) {
    return unsealed.getOrDefault(segment, Map.of());
  }

  /** Reduces a waiting segment's frames. */
  void retainFrames(Path segment, Map<UUID, Long> readableFrames) {
    unsealed.replace(segment, readableFrames);
  }

  // ---- numbers ----

  Path file(int number) {
    return folder
        .segmentDirectory()
        .resolve(new SegmentName(storeId, number, number).segmentFile());
  }

  /**
   * Returns an unused number. Sealed files keep their segments' numbers, and waiting or damaged
   * segments must not be overwritten.
   */
  int nextNumber() throws IOException {
    int last = 0;
    for (Path file : folder.tableFiles(Table.SOURCES)) {
      last = Math.max(last, SegmentName.ofSealed(file).map(this::lastOfThisStore).orElse(0));
    }
    if (Files.isDirectory(folder.segmentDirectory())) {
      try (var entries = Files.newDirectoryStream(folder.segmentDirectory(), "*.segment*")) {
        for (Path entry : entries) {
          last = Math.max(last, numberOf(entry));
        }
      }
    }
    return last + 1;
  }

  /** Returns a segment's number, even if set aside; 0 for another store's. */
  int numberOf(Path file) {
    String name = file.getFileName().toString();
    Path segment = Path.of(name.substring(0, name.indexOf(".segment")) + ".segment");
    return SegmentName.ofSegment(segment).map(this::lastOfThisStore).orElse(0);
  }

  private int lastOfThisStore(SegmentName name) {
    return name.storeId().equals(storeId) ? name.last() : 0;
  }
}
