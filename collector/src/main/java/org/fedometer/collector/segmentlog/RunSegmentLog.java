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
 * One run that is being written: its open segment, its sources, its documents. The newest segment
 * always stays, so that a source can come back after everything is sealed. Belongs to the journal's
 * thread.
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

  /** Sources that have said their last word, whose names the open segment perhaps lacks. */
  private final Set<Source> missingNames = new HashSet<>();

  private String runId = "";
  private SegmentWriter open;

  /** Of the open segment, with what it took over: its size when it began. */
  private long initialBytes;

  private long durableSizeBytes;
  private int openConnections;
  private long idleSinceNanos = System.nanoTime();

  /** By an earlier collector; null where there was none, or since a source has connected. */
  private Instant lastWritten;

  final Committer.WriteState writing = new Committer.WriteState();

  /** Whether its document says that it has ended, for {@link Runs#noteEnd}; null at first. */
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
   * Opens a run, new or left by an earlier collector: reads its segments, cuts a torn tail, makes
   * its documents whole.
   *
   * @param expectedRunId ULID that the run must have, or empty for any
   * @throws RunConflictException the folder belongs to another run
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
      // When it is opened again, all is told again.
      listener.closed(folder);
      segmentLog.close();
      throw e;
    }
  }

  /** Through a link of a folder that a stranger made, this would write wherever it leads. */
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
            "its folder has a link in place of the folder " + folder.path().relativize(directory));
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
   * Before the other store's segments are sealed and go: what they say of a source is all that
   * keeps its frames from being taken again.
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

  /** Rotated segments that wait for their sealing, as they were written. */
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

  /** Size of the open segment, with what it took over. Asked by tests alone. */
  long openSegmentBytes() {
    return open.sizeBytes();
  }

  /** What has come into the open segment beyond what it took over from the one before. */
  long grownBytes() {
    return open.sizeBytes() - initialBytes;
  }

  long notDurableBytes() {
    return open.sizeBytes() - durableSizeBytes;
  }

  /** Reading of nanoTime when the oldest frame came that is in no table yet. */
  long oldestInOpenNanos() {
    return segments.oldestInOpenNanos();
  }

  // ---- sources ----

  boolean knows(Hello hello) {
    return sources.getOrNull(hello.source()) != null;
  }

  /** {@code sameMoment}: milliseconds since 1970 at the nanoseconds of the hello. */
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
   * Takes over a source of another run, which goes on here with its next frame. All that it has
   * sent must be durable.
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

  /** When the last source left, or when an earlier collector has last written what it sent. */
  Instant lastDisconnectedAt(Instant now) {
    return lastWritten != null ? lastWritten : now.minusNanos(System.nanoTime() - idleSinceNanos);
  }

  /** Whether all sources have left with their last word, and that is on disk. */
  boolean isFinished() {
    return allFinished()
        && sources.all().stream().anyMatch(source -> source.finished)
        && notDurableBytes() == 0;
  }

  /** Sources known from sealed segments alone are left out: whether they finished is unknown. */
  boolean allFinished() {
    return openConnections == 0
        && sources.all().stream().allMatch(source -> source.finished || !source.hasSentFrames);
  }

  // ---- writing ----

  /**
   * Takes a frame into the open segment. A document that cannot be stored is taken too, for its
   * source could never go on without it; the source gets a notice, and no file is written.
   *
   * @throws MalformedFrameException the frame is out of order, or a document that cannot be read;
   *     nothing was taken
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

  /** Takes names, of sequence 0, before the frames that need them. */
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
        "{}: {} missing of {}: acknowledged by another store, or by this one and lost since",
        folder.name(),
        Counted.of(missing, "frame is", "frames are"),
        source.describeForLog());
    open.appendSource(source.describe());
  }

  /**
   * Puts everything taken since the last commit on disk; to be repeated when it fails. On the
   * journal's thread, or on another one while the journal's thread waits for it.
   */
  void commit() throws IOException {
    open.commit();
    documents.writeQueued();
    durableSizeBytes = open.sizeBytes();
  }

  /** Sources that had frames since the last call; what they sent is durable now. */
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
        // The next frame may be another matter. One of very many is enough for the log.
        failure = e;
      }
    }
    notDurable.clear();
    if (failure != null) {
      LOG.error("{}: what was stored could not be followed live", folder.name(), failure);
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
    // What can fail comes before anything changes.
    segments.addUnsealed(full.file());
    switchTo(next);
    durableSizeBytes = open.sizeBytes();
    try {
      full.close();
    } catch (IOException e) {
      // All of it is on disk already.
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

  /** After its last totals a source sends nothing that has numbers for names. */
  private static boolean needsNames(Source source) {
    return !source.finished || source.connection != null;
  }

  /**
   * Counts as missing what a rotated segment had and has no more.
   *
   * @param readableFrames the frames of each source that can still be read
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

  /** Segments whose sealing has failed, until it succeeds. */
  Map<Path, FailureTracker> sealFailures() {
    return sealFailures;
  }

  /** What all its sources should know, empty while all is well. */
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
