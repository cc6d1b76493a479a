package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunState;
import org.fedometer.store.RunStore;
import org.fedometer.store.SegmentName;
import org.fedometer.store.StoreIdentity;
import org.fedometer.store.Ulid;
import org.fedometer.store.segment.SegmentReader;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.session.Hello;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs that are open, by name, and the way from a HELLO to one. For the journal's thread. */
final class Runs {
  private static final Logger LOG = LoggerFactory.getLogger(Runs.class);

  private final RunStore store;
  private final Map<String, RunSegmentLog> open = new LinkedHashMap<>();
  private final Set<String> openNames = ConcurrentHashMap.newKeySet();

  /** Of those who look at the folders of runs that are not open. */
  private final Set<ReopenWatch> reopenWatches = ConcurrentHashMap.newKeySet();

  private final String storeId;
  private final DurableFrames listener;

  Runs(RunStore store, DurableFrames listener) throws IOException {
    this.store = store;
    this.storeId = StoreIdentity.of(store.directory()).id();
    this.listener = listener;
  }

  Collection<RunSegmentLog> all() {
    return Collections.unmodifiableCollection(open.values());
  }

  /** Whether a run of that name is open; any thread. */
  boolean isOpen(String name) {
    return openNames.contains(name);
  }

  /** Any thread. */
  ReopenWatch watchReopening(String name) {
    ReopenWatch watch = new ReopenWatch(name, reopenWatches);
    if (isOpen(name)) {
      watch.runOpened(name);
    }
    return watch;
  }

  RunSegmentLog openOrNull(String name) {
    return open.get(name);
  }

  /** Opens every run that an earlier collector left with frames not sealed. */
  void recover() throws IOException {
    for (RunFolder folder : store.runs()) {
      try {
        if (Files.isDirectory(folder.segmentDirectory(), LinkOption.NOFOLLOW_LINKS)) {
          SegmentRepair.finishInterrupted(folder.segmentDirectory());
        }
        if (isEmptyRemainder(folder.segmentFiles())) {
          continue;
        }
        RunSegmentLog run = RunSegmentLog.open(folder, storeId, "", listener);
        if (run.hasUnsealedFrames() || !run.unsealed().isEmpty()) {
          LOG.info("{}: recovered what an earlier collector had not sealed", folder.name());
          add(run);
        } else {
          listener.closed(folder);
          run.close();
        }
      } catch (IOException e) {
        LOG.error("{} cannot be recovered: {}", folder.path(), FailureText.of(e));
      } catch (RunConflictException e) {
        LOG.error("{} cannot be recovered: {}", folder.path(), e.getMessage());
      } catch (RuntimeException | OutOfMemoryError e) {
        // One run that nobody foresaw must not keep the collector from all others.
        LOG.error("{} cannot be recovered", folder.path(), e);
      }
    }
  }

  /**
   * Whether nothing in the segments of a run waits for its sealing, and all were begun by other
   * stores. To put such a run, which was copied here, in order would make it look as if it had been
   * written now, and keep it beyond its age; that can wait until a source comes back to it.
   */
  private boolean isEmptyRemainder(List<Path> segments) {
    for (Path segment : segments) {
      boolean foreign =
          SegmentName.ofSegment(segment)
              .filter(name -> !name.storeId().equals(storeId))
              .isPresent();
      try {
        ContentSearch search = new ContentSearch();
        if (!foreign || SegmentReader.read(segment, search).tornBytes() > 0 || search.found) {
          return false;
        }
      } catch (IOException e) {
        // What is wrong with it is told by whoever tries to mend it.
        return false;
      }
    }
    return true;
  }

  /**
   * The run that a source belongs to, opened if need be.
   *
   * @throws RunConflictException what the source asks for cannot be; the message says why
   */
  RunSegmentLog of(Hello hello, LocalDate today) throws IOException, RunConflictException {
    if (!hello.runId().isEmpty() && !Ulid.isUlid(hello.runId())) {
      throw new RunConflictException("\"" + hello.runId() + "\" is not a ULID");
    }
    if (!hello.runName().isEmpty() && !RunFolder.isValidName(hello.runName())) {
      throw new RunConflictException(
          "a run's name has 1 to 100 letters, digits, '.', '_' and '-' and does not begin with a"
              + " dot: not \""
              + hello.runName()
              + "\"");
    }
    if (!hello.runId().isEmpty()) {
      for (RunSegmentLog run : open.values()) {
        if (run.runId().equals(hello.runId())) {
          return run;
        }
      }
    }
    if (!hello.runName().isEmpty()) {
      RunSegmentLog run = named(hello.runName(), hello.runId());
      // Who gives a ULID conducts the run, and says himself what it is.
      return hello.runId().isEmpty() ? withDocument(run) : run;
    }
    return hello.runId().isEmpty()
        ? monitoringRunOf(hello, today)
        : named(hello.runId(), hello.runId());
  }

  private RunSegmentLog named(String name, String runId) throws IOException, RunConflictException {
    RunSegmentLog run = open.get(name);
    if (run == null) {
      try {
        run = RunSegmentLog.open(store.folderOf(name), storeId, runId, listener);
        add(run);
      } finally {
        // What fails may have changed the folder, too.
        reopenWatches.forEach(watch -> watch.runOpened(name));
      }
      LOG.info("Run {} ({}) is open", name, run.runId());
    } else if (!runId.isEmpty() && !runId.equals(run.runId())) {
      throw RunConflictException.ofName(name, run.runId());
    }
    return run;
  }

  static String monitoringPrefix(LocalDate day) {
    return "monitoring-" + day + "-";
  }

  /** Whether a source outside any run is to go on in another run than its present one. */
  static boolean isOfEarlierDay(RunSegmentLog run, String prefixOfToday) {
    String name = run.folder().name();
    return !name.startsWith(prefixOfToday) && name.compareTo(prefixOfToday) < 0;
  }

  /**
   * The run that a source outside any run sent to last. It is there that its newest durable frame
   * is known, since a later day's run begins only when all before is durable. A source that comes
   * for the first time gets the run of the day.
   */
  private RunSegmentLog monitoringRunOf(Hello hello, LocalDate today)
      throws IOException, RunConflictException {
    for (String name : existingMonitoringRuns(hello)) {
      RunSegmentLog run = open.get(name);
      if (run == null ? isInSegments(hello, store.folderOf(name)) : run.knows(hello)) {
        return monitoringRun(name);
      }
    }
    return monitoringRun(hello, today);
  }

  RunSegmentLog monitoringRun(Hello hello, LocalDate day) throws IOException, RunConflictException {
    return monitoringRun(monitoringPrefix(day) + shortId(hello));
  }

  private RunSegmentLog monitoringRun(String name) throws IOException, RunConflictException {
    return withDocument(named(name, ""));
  }

  /** A run.json that a source ships, now or later, takes the place of this one. */
  private static RunSegmentLog withDocument(RunSegmentLog run) throws IOException {
    if (!Files.exists(run.folder().documentFile())) {
      PrivateFiles.replace(
          run.folder().documentFile(), RunDocumentJson.write(monitoringDocument(run)));
    }
    return run;
  }

  private static String shortId(Hello hello) {
    return hello.source().toString().substring(0, 8);
  }

  /** The newest first. */
  private List<String> existingMonitoringRuns(Hello hello) throws IOException {
    List<String> names = new ArrayList<>();
    Path runs = store.runsDirectory();
    String pattern = "monitoring-????-??-??-" + shortId(hello);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(runs, pattern)) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    } catch (NoSuchFileException e) {
      return List.of();
    }
    names.sort(Comparator.reverseOrder());
    return names;
  }

  /** Looks into a run that is not open. */
  private static boolean isInSegments(Hello hello, RunFolder folder) throws IOException {
    for (Path segment : folder.segmentFiles()) {
      SourceSearch search = new SourceSearch(hello.source());
      try {
        SegmentReader.read(segment, search);
      } catch (MalformedFrameException e) {
        LOG.warn("{} cannot be read: {}", segment, e.getMessage());
      }
      if (search.found) {
        return true;
      }
    }
    return false;
  }

  private static final class SourceSearch implements SegmentVisitor {
    private final UUID source;
    private boolean found;

    SourceSearch(UUID source) {
      this.source = source;
    }

    @Override
    public void run(String runId, String runName) {}

    @Override
    public void source(SegmentSource candidate) {
      found |= candidate.hello().source().equals(source);
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {}

    @Override
    public void document(int sourceIndex, Frame frame, long offset) {}
  }

  /** Finds what a new segment does not begin with: frames, and news of a source. */
  private static final class ContentSearch implements SegmentVisitor {
    private final Set<Integer> introduced = new HashSet<>();
    private boolean found;

    @Override
    public void run(String runId, String runName) {}

    @Override
    public void source(SegmentSource source) {
      found |= !introduced.add(source.index());
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {
      found |= frame.sequence() > 0;
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) {
      found = true;
    }
  }

  private static RunDocument monitoringDocument(RunSegmentLog run) {
    return RunDocument.builder(run.folder().name(), RunState.MONITORING.id())
        .id(run.runId())
        .started(startTime(run).toString())
        .build();
  }

  /** A folder may be older than its run.json: then its ULID tells. */
  private static Instant startTime(RunSegmentLog run) {
    return Ulid.isUlid(run.runId())
        ? Instant.ofEpochMilli(Ulid.epochMillisOf(run.runId()))
        : Instant.now();
  }

  /**
   * Writes into the document of a monitoring run when it ended: when the last of its sources left,
   * if all had said their last word. Takes that away again while a source is connected. To be
   * called from time to time.
   *
   * @param retryPause how long to leave a document alone that could not be written
   */
  void noteEnd(RunSegmentLog run, Instant now, Duration retryPause) {
    boolean over = run.isFinished();
    if (!over && !run.isConnected()
        || Boolean.valueOf(over).equals(run.endNoted)
        || run.endNoteFailures.failedWithin(retryPause, System.nanoTime())) {
      return;
    }
    try {
      noteEnd(run.folder(), over ? run.lastDisconnectedAt(now) : null);
      run.endNoteFailures.recordSuccess();
      run.endNoted = over;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      if (run.endNoteFailures.recordFailure(FailureText.of(e), System.nanoTime())) {
        LOG.warn(
            "{}: when it ended could not be written: {}",
            run.folder().name(),
            run.endNoteFailures.reason());
      }
    }
  }

  private static void noteEnd(RunFolder run, Instant endedOrNull) throws IOException {
    if (!Files.exists(run.documentFile())) {
      return;
    }
    RunDocument document = run.document();
    if (RunState.MONITORING.is(document.state())
        && (endedOrNull == null) != (document.ended() == null)) {
      String ended = endedOrNull == null ? null : endedOrNull.toString();
      PrivateFiles.replace(
          run.documentFile(), RunDocumentJson.write(document.toBuilder().ended(ended).build()));
    }
  }

  void notifySealed(RunFolder folder, Path segment) {
    try {
      listener.sealed(folder, segment.getFileName().toString());
    } catch (RuntimeException | Error e) {
      LOG.error("{}: what was sealed could not be followed live", folder.name(), e);
    }
  }

  private void add(RunSegmentLog run) {
    open.put(run.folder().name(), run);
    openNames.add(run.folder().name());
  }

  void forget(RunSegmentLog run) {
    open.remove(run.folder().name());
    openNames.remove(run.folder().name());
    try {
      listener.closed(run.folder());
    } catch (RuntimeException | Error e) {
      LOG.error("{}: what was put away could not be followed live", run.folder().name(), e);
    }
    try {
      run.close();
    } catch (IOException e) {
      LOG.warn("{}: {}", run.folder().name(), e.getMessage());
    }
  }
}
