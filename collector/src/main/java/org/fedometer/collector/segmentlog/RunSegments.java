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
 * The segments of one run: their numbers, which of them wait for their sealing, and what the open
 * one has that is in no table yet. For the journal's thread.
 */
final class RunSegments {
  /** Names grow longer beyond 999,999. */
  private static final Comparator<Path> AS_WRITTEN =
      Comparator.comparing(
              (Path segment) -> SegmentName.ofSegment(segment).orElse(null),
              Comparator.nullsFirst(SegmentName.ORDER))
          .thenComparing(Comparator.naturalOrder());

  private final RunFolder folder;
  private final String storeId;

  /** Rotated segments that wait for their sealing, each with what it has of which source. */
  private final TreeMap<Path, Map<UUID, Long>> unsealed = new TreeMap<>(AS_WRITTEN);

  private final Map<UUID, Long> framesInOpenBySource = new HashMap<>();

  private long framesInOpen;

  /** The open segment says of a gap what no table says yet. */
  private boolean gapsInOpen;

  private long oldestInOpenNanos;

  /** The identity of the store is part of the segments' names. */
  RunSegments(RunFolder folder, String storeId) {
    this.folder = folder;
    this.storeId = storeId;
  }

  // ---- the open one ----

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

  /** A gap has been written into it. */
  void gapAppended() {
    if (!hasUnsealedFrames()) {
      oldestInOpenNanos = System.nanoTime();
    }
    gapsInOpen = true;
  }

  /** A gap was found in it. */
  void gapRecovered() {
    gapsInOpen = true;
  }

  // ---- those that wait ----

  Set<Path> unsealed() {
    return Collections.unmodifiableSet(unsealed.keySet());
  }

  /** The open one is no longer that. */
  void addUnsealed(Path segment) {
    unsealed.put(segment, new HashMap<>(framesInOpenBySource));
    framesInOpenBySource.clear();
    framesInOpen = 0;
    gapsInOpen = false;
  }

  /**
   * One of another store, copied here with its run: to be sealed, not to be gone on with.
   *
   * @return where to count its frames of each source
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

  /** Of a segment that waits there is less than it had. */
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
   * A number comes once: sealed files keep those of their segments, and a segment that waits for
   * its sealing, or that was set aside as damaged, must not be written over.
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

  /** Also of one that has been set aside; 0 for a segment of another store. */
  int numberOf(Path file) {
    String name = file.getFileName().toString();
    Path segment = Path.of(name.substring(0, name.indexOf(".segment")) + ".segment");
    return SegmentName.ofSegment(segment).map(this::lastOfThisStore).orElse(0);
  }

  private int lastOfThisStore(SegmentName name) {
    return name.storeId().equals(storeId) ? name.last() : 0;
  }
}
