package org.fedometer.collector.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.fedometer.store.Durable;
import org.fedometer.store.RunFolder;
import org.fedometer.store.SegmentName;
import org.fedometer.store.Table;
import org.fedometer.store.Ulid;
import org.fedometer.store.rollup.LiveRollupFile;
import org.fedometer.store.segment.SegmentReader;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Dictionary;
import org.fedometer.wire.Document;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.Hello;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.MetricDictionary;
import org.fedometer.wire.Totals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run that is being written: its open segment, its sources, its documents. The newest segment
 * always stays, so that a source can come back after everything is sealed. Belongs to the journal's
 * thread.
 */
final class RunJournal implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RunJournal.class);

  /** Names grow longer beyond 999,999. */
  private static final Comparator<Path> AS_WRITTEN =
      Comparator.comparing(
              (Path segment) -> SegmentName.ofSegment(segment).orElse(null),
              Comparator.nullsFirst(SegmentName.ORDER))
          .thenComparing(Comparator.naturalOrder());

  private final RunFolder folder;
  private final Map<UUID, Source> sources = new LinkedHashMap<>();
  private final TreeMap<Integer, Source> sourcesByIndex = new TreeMap<>();

  /** Rotated segments that wait for their sealing, each with what it has of which source. */
  private final TreeMap<Path, Map<UUID, Long>> unsealed = new TreeMap<>(AS_WRITTEN);

  /** Frames in the open segment. */
  private final Map<UUID, Long> framesInOpenBySource = new HashMap<>();

  private final ArrayDeque<PendingDocument> pendingDocuments = new ArrayDeque<>();
  private final Map<Path, Long> documentBytes = new HashMap<>();

  /** Above those documents. */
  private final Set<Path> documentFolders = new HashSet<>();

  private final Set<Path> unsyncedDocuments = new HashSet<>();
  private final Set<Source> touched = new HashSet<>();
  private final DurableFrames listener;
  private final List<Taken> notDurable = new ArrayList<>();
  private final Map<Path, Trouble> sealTroubles = new LinkedHashMap<>();
  private final Set<Source> withNewGaps = new LinkedHashSet<>();
  private final Set<Source> knownElsewhere = new LinkedHashSet<>();

  /** Sources that have said their last word, whose names the open segment perhaps lacks. */
  private final Set<Source> withoutNames = new HashSet<>();

  private String runId = "";
  private SegmentWriter open;
  private long framesInOpen;

  /** Of the open segment, with what it took over: its size when it began. */
  private long beganBytes;

  /** The open segment says of a gap what no table says yet. */
  private boolean gapsInOpen;

  private long oldestInOpenNanos;
  private long durableSizeBytes;
  private int openConnections;
  private long idleSinceNanos = System.nanoTime();

  /** Why nothing can be written, if so. */
  final Trouble writing = new Trouble();

  /** Why no new segment can be begun, if so. */
  final Trouble rotating = new Trouble();

  /** When what failed is tried again. */
  long writeAgainNanos;

  long rotateAgainNanos;

  /** Its sources are not read, because too much of it waits for the disk. */
  boolean paused;

  private final String storeId;

  private record PendingDocument(
      Source source, Path file, byte[] content, boolean append, long offset) {}

  private record Taken(Source source, String segment, Frame frame) {}

  private RunJournal(RunFolder folder, String storeId, DurableFrames listener) {
    this.folder = folder;
    this.storeId = storeId;
    this.listener = listener;
  }

  /**
   * Opens a run, new or left by an earlier collector: reads its segments, cuts a torn tail, makes
   * its documents whole.
   *
   * @param storeId identity of the store, part of the segments' names
   * @param expectedRunId ULID that the run must have, or empty for any
   * @throws RunTakenException the folder belongs to another run
   */
  static RunJournal open(
      RunFolder folder, String storeId, String expectedRunId, DurableFrames listener)
      throws IOException, RunTakenException {
    refuseLinks(folder);
    RunJournal journal = new RunJournal(folder, storeId, listener);
    try {
      journal.recover();
      journal.runId = journal.decideRunId(expectedRunId);
      if (journal.open == null) {
        journal.goOnIn(journal.createSegment(journal.nextSegmentNumber()));
      }
      journal.forgetNamesNotCarried();
      journal.durableSizeBytes = journal.open.sizeBytes();
      journal.describeThoseWithNewGaps();
      if (!journal.knownElsewhere.isEmpty()) {
        journal.introduceThoseKnownElsewhere();
      }
      return journal;
    } catch (IOException | RunTakenException | RuntimeException | Error e) {
      // When it is opened again, all is told again.
      listener.closed(folder);
      journal.close();
      throw e;
    }
  }

  /** Through a link of a folder that a stranger made, this would write wherever it leads. */
  private static void refuseLinks(RunFolder folder) throws RunTakenException {
    List<Path> ours = new ArrayList<>();
    ours.add(folder.segmentDirectory());
    ours.add(folder.path().resolve("tables"));
    for (Table table : Table.values()) {
      ours.add(folder.tableDirectory(table));
    }
    for (Path directory : ours) {
      if (Files.isSymbolicLink(directory)) {
        throw new RunTakenException(
            "its folder has a link in place of the folder " + folder.path().relativize(directory));
      }
    }
  }

  RunFolder folder() {
    return folder;
  }

  String runId() {
    return runId;
  }

  /** Rotated segments that wait for their sealing, as they were written. */
  Set<Path> unsealed() {
    return Collections.unmodifiableSet(unsealed.keySet());
  }

  void sealed(Path segment) {
    unsealed.remove(segment);
  }

  Collection<Source> sources() {
    return sourcesByIndex.values();
  }

  boolean hasUnsealedFrames() {
    return framesInOpen > 0 || gapsInOpen;
  }

  long openSegmentBytes() {
    return open.sizeBytes();
  }

  /** What has come into the open segment beyond what it took over from the one before. */
  long grownBytes() {
    return open.sizeBytes() - beganBytes;
  }

  /** What has been taken since all was on disk last. */
  long notDurableBytes() {
    return open.sizeBytes() - durableSizeBytes;
  }

  /** Reading of nanoTime when the oldest frame came that is in no table yet. */
  long oldestInOpenNanos() {
    return oldestInOpenNanos;
  }

  // ---- sources ----

  boolean knows(Hello hello) {
    return sources.containsKey(hello.source());
  }

  /**
   * @param sameMoment milliseconds since 1970 at the nanoseconds of the hello
   */
  Source source(Hello hello, long sameMoment) {
    Source known = sources.get(hello.source());
    if (known != null) {
      if (withoutNames.remove(known)) {
        known.carried().forEach(names -> open.appendFrame(names.sourceIndex(), names.frame()));
      }
      return known;
    }
    Source source = new Source(this, new SegmentSource(unusedIndex(), hello, 0, 0, sameMoment));
    add(source);
    open.appendSource(source.describe());
    return source;
  }

  /**
   * Takes over a source of another run, which goes on here with its next frame.
   *
   * @param other all it has sent is durable
   */
  Source adopt(Source other) {
    Source source = sources.get(other.hello.source());
    if (source == null) {
      source =
          new Source(
              this,
              new SegmentSource(
                  unusedIndex(), other.hello, other.lastAppended, 0, other.firstSeenEpochMillis));
      add(source);
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

  private void add(Source source) {
    sources.put(source.hello.source(), source);
    sourcesByIndex.put(source.index, source);
  }

  private int unusedIndex() {
    return sourcesByIndex.isEmpty() ? 0 : sourcesByIndex.lastKey() + 1;
  }

  void connected() {
    openConnections++;
  }

  void disconnected() {
    openConnections--;
    idleSinceNanos = System.nanoTime();
  }

  boolean idleFor(long nanos) {
    return openConnections == 0 && System.nanoTime() - idleSinceNanos >= nanos;
  }

  boolean allFinished() {
    return openConnections == 0
        && sourcesByIndex.values().stream().allMatch(source -> source.finished);
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
    FrameType type = frame.type();
    PendingDocument document = type == FrameType.DOCUMENT ? documentOf(source, frame) : null;
    if (missing > 0) {
      noteMissing(source, missing);
    }
    if (document == null) {
      open.appendFrame(source.index, frame);
    } else {
      open.appendDocument(source.index, frame, document.offset());
      queue(document);
    }
    source.advanceTo(sequence);
    appended(source, frame);
    remember(source, frame);
  }

  /**
   * Takes names that came without a frame's number, before the frames that need them.
   *
   * @param dictionary of sequence 0
   */
  void appendNames(Source source, Frame dictionary) {
    open.appendFrame(source.index, dictionary);
    learn(source, dictionary.type(), dictionary);
    remember(source, dictionary);
  }

  private void remember(Source source, Frame frame) {
    if (listener != DurableFrames.NONE) {
      notDurable.add(new Taken(source, open.file().getFileName().toString(), frame));
    }
  }

  private void noteMissing(Source source, long missing) {
    source.framesMissing += missing;
    LOG.warn(
        "{}: {} frames of {} are missing; they were acknowledged by another store, or by this one"
            + " before they were lost",
        folder.name(),
        missing,
        source.describeForLog());
    open.appendSource(source.describe());
  }

  private void appended(Source source, Frame frame) {
    FrameType type = frame.type();
    if (type != FrameType.CLOSE_RUN) {
      if (!hasUnsealedFrames()) {
        oldestInOpenNanos = System.nanoTime();
      }
      framesInOpen++;
    }
    count(framesInOpenBySource, source.hello.source());
    learn(source, type, frame);
  }

  private static void count(Map<UUID, Long> frames, UUID source) {
    frames.merge(source, 1L, Long::sum);
  }

  private static void learn(Source source, FrameType type, Frame frame) {
    try {
      ByteBuffer payload = ByteBuffer.wrap(frame.payload());
      if (type == FrameType.STAGES || type == FrameType.THREADS) {
        source.learn(type, Dictionary.decode(payload));
      } else if (type == FrameType.METRICS) {
        source.learn(MetricDictionary.decode(payload));
      } else if (type == FrameType.TOTALS) {
        source.finished = Totals.decode(payload).last();
      }
    } catch (MalformedFrameException e) {
      LOG.warn(
          "A {} frame of {} cannot be read: {}", type, source.describeForLog(), e.getMessage());
    }
  }

  /**
   * Puts everything taken since the last commit on disk; to be repeated when it fails. On the
   * journal's thread, or on another one while the journal's thread waits for it.
   */
  void commit() throws IOException {
    open.commit();
    while (!pendingDocuments.isEmpty()) {
      apply(pendingDocuments.peek());
      pendingDocuments.remove();
    }
    durableSizeBytes = open.sizeBytes();
  }

  /** Sources that had frames since the last call; what they sent is durable now. */
  List<Source> takeTouched() {
    List<Source> result = new ArrayList<>(touched);
    touched.clear();
    result.forEach(source -> source.lastDurable = source.lastAppended);
    return result;
  }

  /** Shows the listener what has become durable since the last call. */
  void tellListener() {
    Throwable failure = null;
    for (Taken taken : notDurable) {
      try {
        listener.durable(folder, taken.source().known(), taken.segment(), taken.frame());
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
    giveUpWaitingForDamagedFrames();
    commit();
    SegmentWriter next = createSegment(numberOf(open.file()) + 1);
    SegmentWriter full = open;
    forgetNamesNotCarried();
    // What can fail comes before anything changes.
    leaveToTheSealer(full.file());
    goOnIn(next);
    durableSizeBytes = open.sizeBytes();
    try {
      full.close();
    } catch (IOException e) {
      // All of it is on disk already.
      LOG.warn("{}: {}", full.file(), e.toString());
    }
  }

  private void goOnIn(SegmentWriter segment) {
    open = segment;
    beganBytes = segment.sizeBytes();
  }

  private void forgetNamesNotCarried() {
    sourcesByIndex.values().stream()
        .filter(source -> !needsNames(source))
        .forEach(withoutNames::add);
  }

  /** After its last totals a source sends nothing that has numbers for names. */
  private static boolean needsNames(Source source) {
    return !source.finished || source.connection != null;
  }

  private void leaveToTheSealer(Path segment) {
    unsealed.put(segment, new HashMap<>(framesInOpenBySource));
    framesInOpenBySource.clear();
    framesInOpen = 0;
    gapsInOpen = false;
  }

  /**
   * Counts as missing what a rotated segment had and has no more.
   *
   * @param left the frames of each source that can still be read
   * @return whether any was lost
   */
  boolean noteDamage(Path segment, Map<UUID, Long> left) {
    Map<UUID, Long> had = unsealed.getOrDefault(segment, Map.of());
    had.forEach(
        (uuid, frames) -> {
          long lost = frames - left.getOrDefault(uuid, 0L);
          Source source = sources.get(uuid);
          if (lost > 0 && source != null) {
            source.framesMissing += lost;
            withNewGaps.add(source);
          }
        });
    unsealed.replace(segment, left);
    boolean any = !withNewGaps.isEmpty();
    describeThoseWithNewGaps();
    return any;
  }

  /**
   * The next segment says of each source only how far it has come. What the sources have not sent
   * again until now counts as missing.
   */
  private void giveUpWaitingForDamagedFrames() {
    for (Source source : sourcesByIndex.values()) {
      if (source.hasFramesBeyondDamage()) {
        long newest = source.newestBeyondDamage();
        source.framesMissing += source.missingBefore(newest);
        source.advanceTo(newest);
        withNewGaps.add(source);
      }
    }
    if (open != null) {
      describeThoseWithNewGaps();
    }
  }

  /** Documents to put on disk before the segments that hold them too may go. */
  Set<Path> takeUnsyncedDocuments() {
    Set<Path> result = new HashSet<>(unsyncedDocuments);
    unsyncedDocuments.clear();
    return result;
  }

  void keepUnsynced(Set<Path> documents) {
    unsyncedDocuments.addAll(documents);
  }

  /** Segments whose sealing has failed, until it succeeds. */
  Map<Path, Trouble> sealTroubles() {
    return sealTroubles;
  }

  /** What all its sources should know, empty while all is well. */
  String notice() {
    if (!writing.reason().isEmpty()) {
      return writing.reason();
    }
    if (!rotating.reason().isEmpty()) {
      return rotating.reason();
    }
    return sealTroubles.isEmpty() ? "" : sealTroubles.values().iterator().next().reason();
  }

  private SegmentWriter createSegment(int number) throws IOException {
    Durable.createDirectories(folder.segmentDirectory());
    List<SegmentSource> descriptions = new ArrayList<>();
    List<SegmentWriter.Carried> carried = new ArrayList<>();
    for (Source source : sourcesByIndex.values()) {
      descriptions.add(source.describe());
      if (needsNames(source)) {
        carried.addAll(source.carried());
      }
    }
    return SegmentWriter.create(
        folder.segmentDirectory().resolve(new SegmentName(storeId, number, number).segmentFile()),
        runId,
        folder.name(),
        descriptions,
        carried);
  }

  /**
   * A number comes once: sealed files keep those of their segments, and a segment that waits for
   * its sealing, or that was set aside as damaged, must not be written over.
   */
  private int nextSegmentNumber() throws IOException {
    int last = 0;
    for (Path file : folder.tableFiles(Table.SOURCES)) {
      last = Math.max(last, SegmentName.ofSealed(file).map(this::lastIfOwn).orElse(0));
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
  private int numberOf(Path file) {
    String name = file.getFileName().toString();
    Path segment = Path.of(name.substring(0, name.indexOf(".segment")) + ".segment");
    return SegmentName.ofSegment(segment).map(this::lastIfOwn).orElse(0);
  }

  private int lastIfOwn(SegmentName name) {
    return name.storeId().equals(storeId) ? name.last() : 0;
  }

  // ---- documents ----

  /** Null for one that cannot be stored. */
  private PendingDocument documentOf(Source source, Frame frame) throws MalformedFrameException {
    Document document = Document.decode(ByteBuffer.wrap(frame.payload()));
    try {
      Path file = folder.documentPath(document.path());
      if (blocked(file) || blockedByTaken(file)) {
        notStored(source, file);
        return null;
      }
      long offset = document.append() ? lengthOf(file) : 0;
      return new PendingDocument(source, file, document.content(), document.append(), offset);
    } catch (IOException e) {
      notStored(source, e.getMessage() + "; it is not stored");
      return null;
    }
  }

  private void notStored(Source source, Path file) {
    Path document = folder.path().relativize(file);
    notStored(
        source, "The document " + document + " is not stored: a folder or file is in its way");
  }

  private void notStored(Source source, String notice) {
    if (!notice.equals(source.notStored)) {
      LOG.warn("{}: {}: {}", folder.name(), source.describeForLog(), notice);
    }
    source.notStored = notice;
  }

  private boolean blocked(Path file) {
    if (Files.isDirectory(file)) {
      return true;
    }
    for (Path parent = file.getParent();
        !parent.equals(folder.path());
        parent = parent.getParent()) {
      if (Files.exists(parent) && !Files.isDirectory(parent)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a document taken before, though perhaps not yet on disk, is in the way. */
  private boolean blockedByTaken(Path file) {
    if (documentFolders.contains(file)) {
      return true;
    }
    for (Path parent = file.getParent();
        !parent.equals(folder.path());
        parent = parent.getParent()) {
      if (documentBytes.containsKey(parent)) {
        return true;
      }
    }
    return false;
  }

  private long lengthOf(Path file) throws IOException {
    Long known = documentBytes.get(file);
    if (known != null) {
      return known;
    }
    return Files.exists(file) ? Files.size(file) : 0;
  }

  private void queue(PendingDocument document) {
    Path file = document.file();
    documentBytes.put(file, document.offset() + document.content().length);
    for (Path parent = file.getParent();
        !parent.equals(folder.path());
        parent = parent.getParent()) {
      documentFolders.add(parent);
    }
    pendingDocuments.add(document);
  }

  private void apply(PendingDocument document) throws IOException {
    Path file = document.file();
    if (blocked(file)) {
      notStored(document.source(), file);
      return;
    }
    Files.createDirectories(file.getParent());
    Path target = document.append() ? file : folder.segmentDirectory().resolve("document.tmp");
    Files.createDirectories(target.getParent());
    try (FileChannel channel =
        FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.truncate(document.offset());
      ByteBuffer content = ByteBuffer.wrap(document.content());
      long position = document.offset();
      while (content.hasRemaining()) {
        position += channel.write(content, position);
      }
      if (!document.append()) {
        // Otherwise a power failure could leave an empty file in place of the old one.
        channel.force(true);
      }
    }
    if (!document.append()) {
      Files.move(target, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    unsyncedDocuments.add(file);
  }

  // ---- recovery ----

  private void recover() throws IOException {
    removeLeftovers();
    List<Path> files = new ArrayList<>();
    List<Path> foreign = new ArrayList<>();
    for (Path file : folder.segmentFiles()) {
      if (numberOf(file) > 0) {
        files.add(file);
      } else if (SegmentMender.mend(file, true) != null) {
        // Of another store, copied here with its run: to be sealed, not to be gone on with.
        unsealed.put(file, new HashMap<>());
        foreign.add(file);
      }
    }
    SegmentMender.Segment last = null;
    boolean canGoOn = false;
    for (Path file : files) {
      boolean newest = file.equals(files.get(files.size() - 1));
      SegmentMender.Segment segment = SegmentMender.mend(file, !newest);
      if (segment == null) {
        continue;
      }
      if (last != null) {
        leaveToTheSealer(last.file());
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
      // Behind it lies one of which nothing could be read, or it has lost introductions.
      leaveToTheSealer(last.file());
      giveUpWaitingForDamagedFrames();
    } else if (last != null) {
      open = SegmentWriter.reopen(last.file(), last.validBytes());
    }
    for (Path file : foreign) {
      SegmentReader.read(file, new ForeignRecovery(unsealed.get(file)));
    }
    for (Source source : sourcesByIndex.values()) {
      source.lastDurable = source.lastAppended;
    }
  }

  /**
   * Before the other store's segments are sealed and go: what they say of a source is all that
   * keeps its frames from being taken again.
   */
  private void introduceThoseKnownElsewhere() throws IOException {
    for (Source source : knownElsewhere) {
      open.appendSource(source.describe());
      source.carried().forEach(carried -> open.appendFrame(carried.sourceIndex(), carried.frame()));
    }
    knownElsewhere.clear();
    open.commit();
    durableSizeBytes = open.sizeBytes();
  }

  private void describeThoseWithNewGaps() {
    for (Source source : withNewGaps) {
      LOG.error(
          "{}: frames of {} are lost to damage on the disk; {} are missing in all",
          folder.name(),
          source.describeForLog(),
          source.framesMissing);
      open.appendSource(source.describe());
    }
    if (!withNewGaps.isEmpty() && !hasUnsealedFrames()) {
      oldestInOpenNanos = System.nanoTime();
    }
    gapsInOpen |= !withNewGaps.isEmpty();
    withNewGaps.clear();
  }

  private void removeLeftovers() throws IOException {
    if (!Files.isDirectory(folder.segmentDirectory())) {
      return;
    }
    SegmentMender.finishInterrupted(folder.segmentDirectory());
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

  private String decideRunId(String expected) throws RunTakenException {
    String existing = runId;
    if (existing.isEmpty()) {
      try {
        String written = folder.document().id();
        existing = written != null && Ulid.isUlid(written) ? written : "";
      } catch (IOException e) {
        // No run.json, or one that cannot be read: nobody lays claim to the folder.
      }
    }
    if (!existing.isEmpty() && !expected.isEmpty() && !existing.equals(expected)) {
      throw RunTakenException.ofName(folder.name(), existing);
    }
    if (!existing.isEmpty()) {
      return existing;
    }
    return expected.isEmpty() ? Ulid.next() : expected;
  }

  @Override
  public void close() throws IOException {
    if (open != null) {
      open.close();
    }
  }

  /** Brings sources, dictionaries and documents back from a segment. */
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
      Source source = sources.get(found.hello().source());
      if (source == null) {
        source =
            new Source(
                RunJournal.this,
                new SegmentSource(
                    sourcesByIndex.containsKey(found.index()) ? unusedIndex() : found.index(),
                    found.hello(),
                    found.lastSequence(),
                    found.framesMissing(),
                    found.firstSeenEpochMillis()));
        add(source);
      } else {
        compare(source, found);
      }
      byIndexHere.put(found.index(), source);
    }

    boolean introducesAllByTheirIndex() {
      return byIndexHere.equals(sourcesByIndex);
    }

    private void compare(Source source, SegmentSource found) {
      long announced = Math.max(0, found.framesMissing() - source.framesMissing);
      source.framesMissing += announced;
      gapsInOpen |= announced > 0;
      if (found.lastSequence() <= source.lastAppended) {
        source.missingAnnounced = announced;
        return;
      }
      // It had come further than what can still be read of it.
      long lost = source.missingBefore(found.lastSequence() + 1) - announced;
      if (lost > 0) {
        source.framesMissing += lost;
        withNewGaps.add(source);
      }
      source.advanceTo(found.lastSequence());
      source.missingAnnounced = 0;
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {
      Source source = byIndexHere.get(sourceIndex);
      if (frame.sequence() == 0) {
        learn(source, frame.type(), frame);
        tell(source, frame);
      } else {
        take(source, frame);
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) throws IOException {
      Source source = byIndexHere.get(sourceIndex);
      take(source, frame);
      Document document = Document.decode(ByteBuffer.wrap(frame.payload()));
      Path file;
      try {
        file = folder.documentPath(document.path());
      } catch (IOException e) {
        LOG.warn("{} is not stored: {}", document.path(), e.getMessage());
        return;
      }
      apply(new PendingDocument(source, file, document.content(), document.append(), offset));
    }

    private void take(Source source, Frame frame) {
      if (source.has(frame.sequence())) {
        return;
      }
      if (source.missingBefore(frame.sequence()) <= source.missingAnnounced) {
        source.advanceTo(frame.sequence());
      } else {
        source.addBeyondDamage(frame.sequence());
      }
      source.missingAnnounced = 0;
      appended(source, frame);
      tell(source, frame);
    }

    private void tell(Source source, Frame frame) {
      try {
        listener.durable(folder, source.known(), segment, frame);
      } catch (RuntimeException | Error e) {
        LOG.error("{}: what was stored could not be followed live", folder.name(), e);
      }
    }
  }

  /** Learns from a segment of another store how far its sources have come, and who they are. */
  private final class ForeignRecovery implements SegmentVisitor {
    private final Map<UUID, Long> frames;
    private final Map<Integer, Source> byIndexHere = new HashMap<>();

    /**
     * @param frames of each source; counted here
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
      Source source = sources.get(found.hello().source());
      if (source == null) {
        source =
            new Source(
                RunJournal.this,
                new SegmentSource(
                    unusedIndex(),
                    found.hello(),
                    found.lastSequence(),
                    found.framesMissing(),
                    found.firstSeenEpochMillis()));
        add(source);
      }
      reached(source, found.lastSequence());
      knownElsewhere.add(source);
      byIndexHere.put(found.index(), source);
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {
      Source source = byIndexHere.get(sourceIndex);
      learn(source, frame.type(), frame);
      reached(source, frame.sequence());
      if (frame.sequence() > 0) {
        count(frames, source.hello.source());
      }
    }

    /**
     * The other store may have been stopped before it made a file of it. What is here already is
     * perhaps newer.
     */
    @Override
    public void document(int sourceIndex, Frame frame, long offset) throws IOException {
      frame(sourceIndex, frame);
      Document document = Document.decode(ByteBuffer.wrap(frame.payload()));
      Path file;
      try {
        file = folder.documentPath(document.path());
      } catch (IOException e) {
        LOG.warn("{} is not stored: {}", document.path(), e.getMessage());
        return;
      }
      boolean fits =
          document.append()
              ? offset == (Files.isRegularFile(file) ? Files.size(file) : 0)
              : !Files.exists(file);
      if (fits) {
        Source source = byIndexHere.get(sourceIndex);
        apply(new PendingDocument(source, file, document.content(), document.append(), offset));
      }
    }

    private void reached(Source source, long sequence) {
      if (!source.hasFramesBeyondDamage()) {
        source.advanceTo(sequence);
      }
    }
  }
}
