package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Ulid;
import org.fedometer.store.rollup.LiveRollupFile;
import org.fedometer.store.segment.SegmentReader;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Frame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers a run from the segments of an earlier collector or another store: identity, sources with
 * names, documents, and unsealed segments. Used once per opening, on the segment log's thread:
 * {@link #readOwn}, {@link #readForeign}, then the rest.
 */
final class RunRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(RunRecovery.class);

  private final RunFolder folder;
  private final RunSources sources;
  private final RunSegments segments;
  private final RunDocuments documents;
  private final DurableFrames listener;
  private final Map<Path, Map<UUID, Long>> foreign = new LinkedHashMap<>();
  private final Set<Source> knownFromOtherStores = new LinkedHashSet<>();
  private String runId = "";

  /** Creates a recovery that fills in sources, segments and documents' files. */
  RunRecovery(
      RunFolder folder,
      RunSources sources,
      RunSegments segments,
      RunDocuments documents,
      DurableFrames listener) {
    this.folder = folder;
    this.sources = sources;
    this.segments = segments;
    this.documents = documents;
    this.listener = listener;
  }

  /** Reads this store's segments; returns the newest if it can be continued, else null. */
  SegmentRepair.Segment readOwn() throws IOException {
    removeLeftovers();
    List<Path> files = new ArrayList<>();
    for (Path file : folder.segmentFiles()) {
      if (segments.numberOf(file) > 0) {
        files.add(file);
      } else if (SegmentRepair.repair(file, true) != null) {
        foreign.put(file, segments.addForeignUnsealed(file));
      }
    }
    SegmentRepair.Segment last = null;
    boolean canGoOn = false;
    for (Path file : files) {
      boolean newest = file.equals(files.get(files.size() - 1));
      SegmentRepair.Segment segment = SegmentRepair.repair(file, !newest);
      if (segment == null) {
        continue;
      }
      if (last != null) {
        segments.addUnsealed(last.file());
      }
      if (segment.tornBytes() > 0) {
        LOG.warn("{}: cut {} bytes of a torn append", file, segment.tornBytes());
      }
      Recovery recovery = new Recovery(file.getFileName().toString());
      SegmentReader.read(file, recovery);
      last = segment;
      canGoOn = newest && recovery.introducesAllByTheirIndex();
    }
    if (last != null && !canGoOn) {
      // A later one was unreadable, or it has lost introductions.
      segments.addUnsealed(last.file());
      sources.countDamagedAsMissing();
      return null;
    }
    return last;
  }

  private void removeLeftovers() throws IOException {
    if (!Files.isDirectory(folder.segmentDirectory())) {
      return;
    }
    SegmentRepair.finishInterrupted(folder.segmentDirectory());
    try (var entries = Files.newDirectoryStream(folder.segmentDirectory())) {
      for (Path entry : entries) {
        Path segment = LiveRollupFile.segmentOf(entry);
        boolean leftover =
            segment == null ? entry.toString().endsWith(".tmp") : !Files.exists(segment);
        // The sealer clears its own directories.
        if (leftover && Files.isRegularFile(entry)) {
          Files.delete(entry);
        }
      }
    }
  }

  /** Reads segments that came with the run from another store. */
  void readForeign() throws IOException {
    for (Map.Entry<Path, Map<UUID, Long>> segment : foreign.entrySet()) {
      SegmentReader.read(segment.getKey(), new ForeignRecovery(segment.getValue()));
    }
    for (Source source : sources.all()) {
      source.lastDurable = source.lastAppended;
    }
  }

  Set<Source> knownFromOtherStores() {
    return Collections.unmodifiableSet(knownFromOtherStores);
  }

  /**
   * Returns the run's ULID; a new one if it had none.
   *
   * @param expected the required ULID, or empty for any
   */
  String decideRunId(String expected) throws RunConflictException {
    String existing = runId;
    if (existing.isEmpty()) {
      try {
        String written = folder.document().id();
        existing = written != null && Ulid.isUlid(written) ? written : "";
      } catch (IOException e) {
        // No readable run.json: the folder is unclaimed.
      }
    }
    if (!existing.isEmpty() && !expected.isEmpty() && !existing.equals(expected)) {
      throw RunConflictException.ofName(folder.name(), existing);
    }
    if (!existing.isEmpty()) {
      return existing;
    }
    return expected.isEmpty() ? Ulid.next() : expected;
  }

  private final class Recovery implements SegmentVisitor {
    private final String segment;
    private final Map<Integer, Source> byIndexHere = new HashMap<>();

    Recovery(String segment) {
      this.segment = segment;
    }

    @Override
    public void run(String id, String name) {
      runId = id;
    }

    @Override
    public void source(SegmentSource found) {
      Source source = sources.getOrNull(found.hello().source());
      if (source == null) {
        boolean indexInUse = sources.hasIndex(found.index());
        source = add(found, indexInUse ? sources.unusedIndex() : found.index());
      } else {
        compare(source, found);
      }
      byIndexHere.put(found.index(), source);
    }

    boolean introducesAllByTheirIndex() {
      return sources.areExactly(byIndexHere);
    }

    private void compare(Source source, SegmentSource found) {
      long announced = Math.max(0, found.framesMissing() - source.framesMissing);
      source.framesMissing += announced;
      if (announced > 0) {
        segments.gapRecovered();
      }
      if (found.lastSequence() <= source.lastAppended) {
        source.missingAnnounced = announced;
        return;
      }
      // It had more frames than are still readable.
      long lost = source.missingBefore(found.lastSequence() + 1) - announced;
      if (lost > 0) {
        source.framesMissing += lost;
        sources.noteNewGap(source);
      }
      source.advanceTo(found.lastSequence());
      source.missingAnnounced = 0;
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {
      Source source = byIndexHere.get(sourceIndex);
      if (frame.sequence() == 0) {
        source.learn(frame);
        notifyListener(source, frame);
      } else {
        addFrame(source, frame);
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) throws IOException {
      Source source = byIndexHere.get(sourceIndex);
      addFrame(source, frame);
      documents.restore(source, frame, offset);
    }

    private void addFrame(Source source, Frame frame) {
      if (source.has(frame.sequence())) {
        return;
      }
      if (source.missingBefore(frame.sequence()) <= source.missingAnnounced) {
        source.advanceTo(frame.sequence());
      } else {
        source.addBeyondDamage(frame.sequence());
      }
      source.missingAnnounced = 0;
      segments.appended(source, frame.type());
      source.learn(frame);
      notifyListener(source, frame);
    }

    private void notifyListener(Source source, Frame frame) {
      try {
        listener.durable(folder, source.known(), segment, frame);
      } catch (RuntimeException | Error e) {
        LOG.error("{}: live views missed stored frames", folder.name(), e);
      }
    }
  }

  /** Reads from another store's segment the sources and their last frames. */
  private final class ForeignRecovery implements SegmentVisitor {
    private final Map<UUID, Long> frames;
    private final Map<Integer, Source> byIndexHere = new HashMap<>();

    /**
     * @param frames receives the number of frames per source
     */
    ForeignRecovery(Map<UUID, Long> frames) {
      this.frames = frames;
    }

    @Override
    public void run(String id, String name) {
      if (runId.isEmpty()) {
        runId = id;
      } else if (!runId.equals(id)) {
        LOG.error("{} holds segments of two runs, {} and {}", folder.path(), runId, id);
      }
    }

    @Override
    public void source(SegmentSource found) {
      Source source = sources.getOrNull(found.hello().source());
      if (source == null) {
        source = add(found, sources.unusedIndex());
      }
      reached(source, found.lastSequence());
      knownFromOtherStores.add(source);
      byIndexHere.put(found.index(), source);
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {
      Source source = byIndexHere.get(sourceIndex);
      source.learn(frame);
      reached(source, frame.sequence());
      if (frame.sequence() > 0) {
        RunSegments.count(frames, source.hello.source());
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) throws IOException {
      frame(sourceIndex, frame);
      documents.restoreIfAbsent(byIndexHere.get(sourceIndex), frame, offset);
    }

    private void reached(Source source, long sequence) {
      if (!source.hasFramesBeyondDamage()) {
        source.advanceTo(sequence);
      }
    }
  }

  private Source add(SegmentSource found, int index) {
    return sources.add(
        new SegmentSource(
            index,
            found.hello(),
            found.lastSequence(),
            found.framesMissing(),
            found.firstSeenEpochMillis()));
  }
}
