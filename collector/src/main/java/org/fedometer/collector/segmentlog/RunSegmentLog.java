package org.fedometer.collector.segmentlog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.fedometer.collector.log.FailureTracker;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Counted;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.session.Hello;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open run: its open segment, sources and documents. The newest segment is never deleted, so
 * that sources can return after everything is sealed. For the segment log's thread.
 */
final class RunSegmentLog implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RunSegmentLog.class);

  private final RunFolder folder;
  private final RunSources sources = new RunSources(this);
  private final RunSegments segments;
  private final RunDocuments documents;
  private final Set<Source> touched = new HashSet<>();
  private final DurableFrames listener;
  private final List<UndurableFrame> notDurable = new ArrayList<>();
  private final Map<Path, FailureTracker> sealFailures = new LinkedHashMap<>();

  /** Finished sources whose names the open segment may lack. */
  private final Set<Source> missingNames = new HashSet<>();

  private String runId = "";
  private SegmentWriter open;

  /** Initial size of the open segment, with copied content. */
  private long initialBytes;

  private long durableSizeBytes;
  private int openConnections;
  private long idleSinceNanos = System.nanoTime();

  /** Last write of an earlier collector; null if there was none, or once a source has connected. */
  private Instant lastWritten;

  final Committer.WriteState writing = new Committer.WriteState();

  /** True if its document has an end, for {@link Runs#noteEnd}; null at first. */
  Boolean endNoted;

  final FailureTracker endNoteFailures = new FailureTracker();

  private record UndurableFrame(Source source, String segment, Frame frame) {}

  private RunSegmentLog(RunFolder folder, String storeId, DurableFrames listener) {
    this.folder = folder;
    this.segments = new RunSegments(folder, storeId);
    this.documents = new RunDocuments(folder);
    this.listener = listener;
  }

  /**
   * Opens a new or existing run: reads its segments, truncates a torn tail, completes its
   * documents.
   *
   * @param expectedRunId required ULID, or empty for any
   * @throws RunConflictException if the folder belongs to another run
   */
  static RunSegmentLog open(
      RunFolder folder, String storeId, String expectedRunId, DurableFrames listener)
      throws IOException, RunConflictException {
    refuseLinks(folder);
    RunSegmentLog segmentLog = new RunSegmentLog(folder, storeId, listener);
    try {
      segmentLog.recover(expectedRunId);
      return segmentLog;
    } catch (IOException | RunConflictException | RuntimeException | Error e) {
      // Reopening repeats all frames.
      listener.closed(folder);
      segmentLog.close();
      throw e;
    }
  }

  /** Refuses links, through which writes could leave the run's folder. */
  private static void refuseLinks(RunFolder folder) throws RunConflictException {
    List<Path> ownPaths = new ArrayList<>();
    ownPaths.add(folder.segmentDirectory());
    ownPaths.add(folder.path().resolve("tables"));
    for (Table table : Table.values()) {
      ownPaths.add(folder.tableDirectory(table));
    }
    for (Path directory : ownPaths) {
      if (Files.isSymbolicLink(directory)) {
        throw new RunConflictException(
            "the run's folder has a link in place of the folder "
                + folder.path().relativize(directory));
      }
    }
  }

  private void recover(String expectedRunId) throws IOException, RunConflictException {
    lastWritten = lastWrittenOrNull();
    RunRecovery recovery = new RunRecovery(folder, sources, segments, documents, listener);
    SegmentRepair.Segment newest = recovery.readOwn();
    if (newest != null) {
      open = SegmentWriter.reopen(newest.file(), newest.validBytes());
    }
    recovery.readForeign();
    runId = recovery.decideRunId(expectedRunId);
    if (open == null) {
      switchTo(createSegment(segments.nextNumber()));
    }
    forgetNamesNotCarried();
    durableSizeBytes = open.sizeBytes();
    describeNewGaps();
    if (!recovery.knownFromOtherStores().isEmpty()) {
      introduce(recovery.knownFromOtherStores());
    }
  }

  private Instant lastWrittenOrNull() throws IOException {
    Instant latest = null;
    for (Path segment : folder.segmentFiles()) {
      Instant written = Files.getLastModifiedTime(segment).toInstant();
      latest = latest == null || written.isAfter(latest) ? written : latest;
    }
    return latest;
  }

  /**
   * Writes sources to the open segment before the other store's segments are sealed and deleted.
   * Otherwise their frames would be accepted again.
   */
  private void introduce(Set<Source> knownElsewhere) throws IOException {
    for (Source source : knownElsewhere) {
      open.appendSource(source.describe());
      source.carried().forEach(carried -> open.appendFrame(carried.sourceIndex(), carried.frame()));
    }
    open.commit();
    durableSizeBytes = open.sizeBytes();
  }

  RunFolder folder() {
    return folder;
  }

  String runId() {
    return runId;
  }

  /** Returns rotated segments that wait for sealing, in order of writing. */
  Set<Path> unsealed() {
    return segments.unsealed();
  }

  void sealed(Path segment) {
    segments.sealed(segment);
  }

  Collection<Source> sources() {
    return sources.all();
  }

  boolean hasUnsealedFrames() {
    return segments.hasUnsealedFrames();
  }

  /** Returns the open segment's size, with copied content. For tests. */
  long openSegmentBytes() {
    return open.sizeBytes();
  }

  /** Returns the growth of the open segment beyond its copied content. */
  long grownBytes() {
    return open.sizeBytes() - initialBytes;
  }

  long notDurableBytes() {
    return open.sizeBytes() - durableSizeBytes;
  }

  /** Returns the nanoTime of the oldest frame that is in no table. */
  long oldestInOpenNanos() {
    return segments.oldestInOpenNanos();
  }

  // ---- sources ----

  boolean knows(Hello hello) {
    return sources.getOrNull(hello.source()) != null;
  }

  /**
   * @param sameMoment milliseconds since 1970 at the nanoseconds of the hello
   */
  Source source(Hello hello, long sameMoment) {
    Source known = sources.getOrNull(hello.source());
    if (known != null) {
      if (missingNames.remove(known)) {
        known.carried().forEach(names -> open.appendFrame(names.sourceIndex(), names.frame()));
      }
      return known;
    }
    Source source = sources.add(new SegmentSource(sources.unusedIndex(), hello, 0, 0, sameMoment));
    open.appendSource(source.describe());
    return source;
  }

  /**
   * Adopts a source of another run, which continues here with its next frame. All its frames must
   * be durable.
   */
  Source adopt(Source other) {
    Source source = sources.getOrNull(other.hello.source());
    if (source == null) {
      source =
          sources.add(
              new SegmentSource(
                  sources.unusedIndex(),
                  other.hello,
                  other.lastAppended,
                  0,
                  other.firstSeenEpochMillis));
    }
    source.advanceTo(other.lastAppended);
    source.lastDurable = Math.max(source.lastDurable, other.lastDurable);
    source.learnAllOf(other);
    open.appendSource(source.describe());
    for (SegmentWriter.Carried carried : source.carried()) {
      open.appendFrame(carried.sourceIndex(), carried.frame());
      remember(source, carried.frame());
    }
    return source;
  }

  void connected() {
    lastWritten = null;
    openConnections++;
  }

  void disconnected() {
    openConnections--;
    idleSinceNanos = System.nanoTime();
  }

  boolean idleFor(long nanos) {
    return openConnections == 0 && System.nanoTime() - idleSinceNanos >= nanos;
  }

  boolean isConnected() {
    return openConnections > 0;
  }

  /** Returns when the last source left, or an earlier collector last wrote its data. */
  Instant lastDisconnectedAt(Instant now) {
    return lastWritten != null ? lastWritten : now.minusNanos(System.nanoTime() - idleSinceNanos);
  }

  /** Returns whether all sources have finished and left, and all is durable. */
  boolean isFinished() {
    return allFinished()
        && sources.all().stream().anyMatch(source -> source.finished)
        && notDurableBytes() == 0;
  }

  /**
   * Returns whether all have finished. Ignores sources known from sealed segments only, whose end
   * is unknown.
   */
  boolean allFinished() {
    return openConnections == 0
        && sources.all().stream().allMatch(source -> source.finished || !source.hasSentFrames);
  }

  // ---- writing ----

  /**
   * Appends a frame to the open segment. A document that cannot be stored is accepted without a
   * file, since its source could not continue otherwise; the source gets a notice.
   *
   * @throws MalformedFrameException if the frame is out of order or a document is malformed;
   *     nothing is appended
   */
  void append(Source source, Frame frame) throws MalformedFrameException {
    long sequence = frame.sequence();
    touched.add(source);
    if (source.has(sequence)) {
      return;
    }
    long missing = source.missingBefore(sequence);
    if (missing > 0 && sequence > source.firstAvailable) {
      throw new MalformedFrameException(
          "Frame " + sequence + " came after frame " + source.lastAppended + ": some are missing");
    }
    RunDocuments.Pending document =
        frame.type() == FrameType.DOCUMENT ? documents.prepare(source, frame) : null;
    if (missing > 0) {
      noteMissing(source, missing);
    }
    if (document == null) {
      open.appendFrame(source.index, frame);
    } else {
      open.appendDocument(source.index, frame, document.offset());
      documents.queue(document);
    }
    source.advanceTo(sequence);
    segments.appended(source, frame.type());
    source.learn(frame);
    remember(source, frame);
  }

  /** Appends names, of sequence 0, before the frames that need them. */
  void appendNames(Source source, Frame dictionary) {
    open.appendFrame(source.index, dictionary);
    source.learn(dictionary);
    remember(source, dictionary);
  }

  private void remember(Source source, Frame frame) {
    if (listener != DurableFrames.NONE) {
      notDurable.add(new UndurableFrame(source, open.file().getFileName().toString(), frame));
    }
  }

  private void noteMissing(Source source, long missing) {
    source.framesMissing += missing;
    LOG.warn(
        "{}: {} missing of {}: another store acknowledged them, or this store has lost them since",
        folder.name(),
        Counted.of(missing, "frame is", "frames are"),
        source.describeForLog());
    open.appendSource(source.describe());
  }

  /**
   * Makes all appended data durable; repeat after a failure. On the segment log's thread, or
   * another while that waits for it.
   */
  void commit() throws IOException {
    open.commit();
    documents.writeQueued();
    durableSizeBytes = open.sizeBytes();
  }

  /** Returns sources with frames since the last call, and marks these as durable. */
  List<Source> takeTouched() {
    List<Source> result = new ArrayList<>(touched);
    touched.clear();
    result.forEach(source -> source.lastDurable = source.lastAppended);
    return result;
  }

  void notifyListener() {
    Throwable failure = null;
    for (UndurableFrame frame : notDurable) {
      try {
        listener.durable(folder, frame.source().known(), frame.segment(), frame.frame());
      } catch (RuntimeException | Error e) {
        // Other frames may succeed. One failure of many suffices for the log.
        failure = e;
      }
    }
    notDurable.clear();
    if (failure != null) {
      LOG.error("{}: live views missed stored frames", folder.name(), failure);
    }
  }

  // ---- segments ----

  /** Commits and begins a new segment; the old one is then in {@link #unsealed()}. */
  void rotate() throws IOException {
    sources.countDamagedAsMissing();
    describeNewGaps();
    commit();
    SegmentWriter next = createSegment(segments.numberOf(open.file()) + 1);
    SegmentWriter full = open;
    forgetNamesNotCarried();
    // All that can fail precedes the changes.
    segments.addUnsealed(full.file());
    switchTo(next);
    durableSizeBytes = open.sizeBytes();
    try {
      full.close();
    } catch (IOException e) {
      // All of it is durable already.
      LOG.warn("{}: {}", full.file(), FailureText.of(e));
    }
  }

  private void switchTo(SegmentWriter segment) {
    open = segment;
    initialBytes = segment.sizeBytes();
  }

  private void forgetNamesNotCarried() {
    sources.all().stream().filter(source -> !needsNames(source)).forEach(missingNames::add);
  }

  /**
   * Returns whether the source may still need names: after its last totals it sends nothing that
   * uses them.
   */
  private static boolean needsNames(Source source) {
    return !source.finished || source.connection != null;
  }

  /**
   * Counts frames that a rotated segment has lost as missing.
   *
   * @param readableFrames readable frames per source
   * @return whether any was lost
   */
  boolean noteDamage(Path segment, Map<UUID, Long> readableFrames) {
    sources.countLost(segments.framesOf(segment), readableFrames);
    segments.retainFrames(segment, readableFrames);
    boolean any = !sources.withNewGaps().isEmpty();
    describeNewGaps();
    return any;
  }

  private void describeNewGaps() {
    for (Source source : sources.withNewGaps()) {
      LOG.error(
          "{}: frames of {} are lost to damage on the disk; {} are missing in all",
          folder.name(),
          source.describeForLog(),
          source.framesMissing);
      open.appendSource(source.describe());
    }
    if (!sources.withNewGaps().isEmpty()) {
      segments.gapAppended();
    }
    sources.forgetNewGaps();
  }

  Set<Path> takeUnsyncedDocuments() {
    return documents.takeUnsynced();
  }

  void addUnsynced(Set<Path> unsynced) {
    documents.addUnsynced(unsynced);
  }

  /** Returns segments whose sealing has failed, until it succeeds. */
  Map<Path, FailureTracker> sealFailures() {
    return sealFailures;
  }

  /** Returns the notice for all sources, empty if there is no failure. */
  String notice() {
    if (!writing.reason().isEmpty()) {
      return writing.reason();
    }
    return sealFailures.isEmpty() ? "" : sealFailures.values().iterator().next().reason();
  }

  private SegmentWriter createSegment(int number) throws IOException {
    PrivateFiles.createFoldersBelow(
        open == null ? folder.store() : folder.path(), folder.segmentDirectory());
    List<SegmentSource> descriptions = new ArrayList<>();
    List<SegmentWriter.Carried> carried = new ArrayList<>();
    for (Source source : sources.all()) {
      descriptions.add(source.describe());
      if (needsNames(source)) {
        carried.addAll(source.carried());
      }
    }
    return SegmentWriter.create(segments.file(number), runId, folder.name(), descriptions, carried);
  }

  @Override
  public void close() throws IOException {
    if (open != null) {
      open.close();
    }
  }
}
