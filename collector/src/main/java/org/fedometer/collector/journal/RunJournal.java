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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.fedometer.store.Durable;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.Ulid;
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

  private final RunFolder folder;
  private final Map<UUID, Source> sources = new LinkedHashMap<>();
  private final List<Source> sourcesByIndex = new ArrayList<>();
  private final Set<Path> unsealed = new TreeSet<>();
  private final ArrayDeque<PendingDocument> pendingDocuments = new ArrayDeque<>();
  private final Map<Path, Long> documentBytes = new HashMap<>();
  private final Set<Path> unsyncedDocuments = new HashSet<>();
  private final Set<Source> touched = new HashSet<>();
  private String runId = "";
  private String sealTrouble = "";
  private SegmentWriter open;
  private long framesInOpen;
  private int openConnections;
  private long idleSinceNanos = System.nanoTime();

  private record PendingDocument(Path file, byte[] content, boolean append, long offset) {}

  private RunJournal(RunFolder folder) {
    this.folder = folder;
  }

  /**
   * Opens a run, new or left by an earlier collector: reads its segments, cuts a torn tail, makes
   * its documents whole.
   *
   * @param expectedRunId ULID that the run must have, or empty for any
   * @throws RunTakenException the folder belongs to another run
   */
  static RunJournal open(RunFolder folder, String expectedRunId)
      throws IOException, RunTakenException {
    RunJournal journal = new RunJournal(folder);
    try {
      journal.recover();
      journal.runId = journal.decideRunId(expectedRunId);
      if (journal.open == null) {
        journal.open = journal.createSegment(journal.nextSegmentNumber());
      }
      return journal;
    } catch (IOException | RunTakenException | RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  RunFolder folder() {
    return folder;
  }

  String runId() {
    return runId;
  }

  /** Rotated segments that wait for their sealing. */
  Set<Path> unsealed() {
    return unsealed;
  }

  Collection<Source> sources() {
    return sourcesByIndex;
  }

  boolean hasUnsealedFrames() {
    return framesInOpen > 0;
  }

  long openSegmentBytes() {
    return open.sizeBytes();
  }

  // ---- sources ----

  Source source(Hello hello) {
    Source known = sources.get(hello.source());
    if (known != null) {
      return known;
    }
    Source source =
        new Source(
            this,
            new SegmentSource(sourcesByIndex.size(), hello, 0, 0, System.currentTimeMillis()));
    add(source);
    open.appendSource(source.describe());
    return source;
  }

  private void add(Source source) {
    sources.put(source.hello.source(), source);
    sourcesByIndex.add(source);
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
    return openConnections == 0 && sourcesByIndex.stream().allMatch(source -> source.finished);
  }

  // ---- writing ----

  /**
   * Takes a frame into the open segment.
   *
   * @throws MalformedFrameException the frame is out of order, or a document that may not be
   *     stored; nothing was taken
   */
  void append(Source source, Frame frame) throws MalformedFrameException {
    long sequence = frame.sequence();
    touched.add(source);
    if (sequence <= source.lastAppended) {
      return;
    }
    if (sequence != source.lastAppended + 1 && sequence > source.firstAvailable) {
      throw new MalformedFrameException(
          "Frame " + sequence + " came after frame " + source.lastAppended + ": some are missing");
    }
    FrameType type = frame.type();
    PendingDocument document = type == FrameType.DOCUMENT ? documentOf(frame) : null;
    if (sequence != source.lastAppended + 1) {
      noteMissing(source, sequence - source.lastAppended - 1);
    }
    if (document == null) {
      open.appendFrame(source.index, frame);
    } else {
      open.appendDocument(source.index, frame, document.offset());
      queue(document);
    }
    appended(source, frame);
  }

  private void noteMissing(Source source, long missing) {
    source.framesMissing += missing;
    LOG.warn(
        "{}: {} frames of {} are missing; they were acknowledged by another store, or by this one"
            + " before it was lost",
        folder.name(),
        missing,
        source.describeForLog());
    open.appendSource(source.describe());
  }

  private void appended(Source source, Frame frame) {
    source.lastAppended = frame.sequence();
    FrameType type = frame.type();
    if (type != FrameType.CLOSE_RUN) {
      framesInOpen++;
    }
    learn(source, type, frame);
  }

  private static void learn(Source source, FrameType type, Frame frame) {
    try {
      ByteBuffer payload = ByteBuffer.wrap(frame.payload());
      if (type == FrameType.STAGES || type == FrameType.THREADS) {
        source.learn(type, Dictionary.decode(payload));
      } else if (type == FrameType.TOTALS) {
        source.finished = Totals.decode(payload).last();
      }
    } catch (MalformedFrameException e) {
      LOG.warn(
          "A {} frame of {} cannot be read: {}", type, source.describeForLog(), e.getMessage());
    }
  }

  /** Puts everything taken since the last commit on disk; to be repeated when it fails. */
  void commit() throws IOException {
    open.commit();
    while (!pendingDocuments.isEmpty()) {
      apply(pendingDocuments.peek());
      pendingDocuments.remove();
    }
  }

  /** Sources that had frames since the last call; what they sent is durable now. */
  List<Source> takeTouched() {
    List<Source> result = new ArrayList<>(touched);
    touched.clear();
    result.forEach(source -> source.lastDurable = source.lastAppended);
    return result;
  }

  // ---- segments ----

  /** Commits and begins a new segment; the old one is then in {@link #unsealed()}. */
  void rotate() throws IOException {
    commit();
    SegmentWriter next = createSegment(numberOf(open.file()) + 1);
    SegmentWriter full = open;
    open = next;
    framesInOpen = 0;
    unsealed.add(full.file());
    full.close();
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

  /** Why the last attempt to seal failed, empty when it did not; for the run's sources. */
  String sealTrouble() {
    return sealTrouble;
  }

  void noteSealTrouble(String trouble) {
    sealTrouble = trouble;
  }

  private SegmentWriter createSegment(int number) throws IOException {
    Durable.createDirectories(folder.segmentDirectory());
    List<SegmentSource> descriptions = new ArrayList<>();
    List<SegmentWriter.Carried> carried = new ArrayList<>();
    for (Source source : sourcesByIndex) {
      descriptions.add(source.describe());
      carried.addAll(source.carried());
    }
    return SegmentWriter.create(
        folder.segmentDirectory().resolve("%06d.segment".formatted(number)),
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
      last = Math.max(last, numberOf(file));
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

  private static int numberOf(Path file) {
    String name = file.getFileName().toString();
    try {
      return Integer.parseInt(name.substring(0, name.indexOf('.')));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  // ---- documents ----

  private PendingDocument documentOf(Frame frame) throws MalformedFrameException {
    Document document = Document.decode(ByteBuffer.wrap(frame.payload()));
    try {
      Path file = folder.documentPath(document.path());
      if (blocked(file) || blockedByTaken(file)) {
        throw new MalformedFrameException(
            "The document " + document.path() + " cannot be stored: a folder or file is there");
      }
      long offset = document.append() ? lengthOf(file) : 0;
      return new PendingDocument(file, document.content(), document.append(), offset);
    } catch (MalformedFrameException e) {
      throw e;
    } catch (IOException e) {
      throw new MalformedFrameException(e.getMessage());
    }
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
    if (documentBytes.containsKey(file)) {
      return false;
    }
    for (Path taken : documentBytes.keySet()) {
      if (taken.startsWith(file) || file.startsWith(taken)) {
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
    documentBytes.put(document.file(), document.offset() + document.content().length);
    pendingDocuments.add(document);
  }

  private void apply(PendingDocument document) throws IOException {
    Path file = document.file();
    if (blocked(file)) {
      LOG.warn("{} is not stored: a folder or file has come into its way", file);
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
    Path last = null;
    long validBytes = 0;
    for (Path segment : folder.segmentFiles()) {
      if (last != null) {
        unsealed.add(last);
        last = null;
      }
      framesInOpen = 0;
      try {
        SegmentReader.Extent extent = SegmentReader.read(segment, new Recovery());
        if (extent.tornBytes() > 0) {
          LOG.warn("{}: cut {} bytes of a torn append", segment, extent.tornBytes());
        }
        last = segment;
        validBytes = extent.validBytes();
      } catch (MalformedFrameException e) {
        Path damaged = segment.resolveSibling(segment.getFileName() + ".damaged");
        LOG.error("{}; it is kept as {}", e.getMessage(), damaged);
        Files.move(segment, damaged);
        framesInOpen = 0;
      }
    }
    if (last != null) {
      open = SegmentWriter.reopen(last, validBytes);
    }
    for (Source source : sourcesByIndex) {
      source.lastDurable = source.lastAppended;
    }
  }

  private void removeLeftovers() throws IOException {
    if (!Files.isDirectory(folder.segmentDirectory())) {
      return;
    }
    try (var entries = Files.newDirectoryStream(folder.segmentDirectory(), "*.tmp")) {
      for (Path entry : entries) {
        // The sealer clears its own directories.
        if (Files.isRegularFile(entry)) {
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
        existing = written == null ? "" : written;
      } catch (IOException e) {
        // No run.json, or one that cannot be read: nobody lays claim to the folder.
      }
    }
    if (!existing.isEmpty() && !expected.isEmpty() && !existing.equals(expected)) {
      throw new RunTakenException(
          "the run name \""
              + folder.name()
              + "\" belongs to the run "
              + existing
              + " already; choose another name");
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
    private final Map<Integer, Source> byIndexHere = new HashMap<>();

    @Override
    public void run(String id, String name) {
      runId = id;
    }

    @Override
    public void source(SegmentSource found) {
      Source known = sources.get(found.hello().source());
      if (known == null) {
        known =
            new Source(
                RunJournal.this,
                new SegmentSource(
                    sourcesByIndex.size(),
                    found.hello(),
                    found.lastSequence(),
                    found.framesMissing(),
                    found.firstSeenEpochMillis()));
        add(known);
      }
      known.lastAppended = Math.max(known.lastAppended, found.lastSequence());
      known.framesMissing = Math.max(known.framesMissing, found.framesMissing());
      byIndexHere.put(found.index(), known);
    }

    @Override
    public void frame(int sourceIndex, Frame frame) throws IOException {
      Source source = sourceOf(sourceIndex);
      if (frame.sequence() == 0) {
        learn(source, frame.type(), frame);
      } else {
        appended(source, frame);
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) throws IOException {
      appended(sourceOf(sourceIndex), frame);
      Document document = Document.decode(ByteBuffer.wrap(frame.payload()));
      apply(
          new PendingDocument(
              folder.documentPath(document.path()), document.content(), document.append(), offset));
    }

    private Source sourceOf(int index) throws MalformedFrameException {
      Source source = byIndexHere.get(index);
      if (source == null) {
        throw new MalformedFrameException("A segment has a frame of a source not introduced");
      }
      return source;
    }
  }
}
