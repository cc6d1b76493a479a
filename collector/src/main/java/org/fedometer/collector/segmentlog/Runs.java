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

/** Open runs by name, and the mapping of a HELLO to a run. For the segment log's thread. */
final class Runs {
  private static final Logger LOG = LoggerFactory.getLogger(Runs.class);

  private final RunStore store;
  private final Map<String, RunSegmentLog> open = new LinkedHashMap<>();
  private final Set<String> openNames = ConcurrentHashMap.newKeySet();

  /** Watches of callers that examine folders of closed runs. */
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

  /** Returns whether a run of that name is open; any thread. */
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

  /** Opens each run with unsealed frames of an earlier collector. */
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
          LOG.info("{}: recovered data that an earlier collector had not sealed", folder.name());
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
        // One unexpected run must not block all others.
        LOG.error("{} cannot be recovered", folder.path(), e);
      }
    }
  }

  /**
   * Returns whether a run's segments are all from other stores and fully sealed. Recovering such a
   * copied run would make it look newly written and postpone its deletion, so it waits until a
   * source returns.
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
        // The failure is reported by the repair.
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the run that a source belongs to, opened if necessary.
   *
   * @throws RunConflictException if the request is impossible; the message has the cause
   */
  RunSegmentLog of(Hello hello, LocalDate today) throws IOException, RunConflictException {
    if (!hello.runId().isEmpty() && !Ulid.isUlid(hello.runId())) {
      throw new RunConflictException("\"" + hello.runId() + "\" is not a ULID");
    }
    if (!hello.runName().isEmpty() && !RunFolder.isValidName(hello.runName())) {
      throw new RunConflictException(
          "a run's name must have 1 to 100 letters, digits, '.', '_' and '-' and must not begin"
              + " with a dot, unlike \""
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
      // A client that sends a ULID conducts the run and writes its own document.
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
        // A failure may have changed the folder, too.
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

  /** Returns whether a source outside any run must move to another run. */
  static boolean isOfEarlierDay(RunSegmentLog run, String prefixOfToday) {
    String name = run.folder().name();
    return !name.startsWith(prefixOfToday) && name.compareTo(prefixOfToday) < 0;
  }

  /**
   * Returns the last run of a source outside any run. That run knows its newest durable frame,
   * since a later day's run begins only once all before is durable. A new source gets the day's
   * run.
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

  /** Writes a run.json, which one sent by a source replaces. */
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

  /** Returns the newest first. */
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

  /** Searches a closed run. */
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

  /** Finds content beyond a new segment's start: frames, and news of a source. */
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

  /** Returns the ULID's time, since a folder may be older than its run.json. */
  private static Instant startTime(RunSegmentLog run) {
    return Ulid.isUlid(run.runId())
        ? Instant.ofEpochMilli(Ulid.epochMillisOf(run.runId()))
        : Instant.now();
  }

  /**
   * Writes a monitoring run's end to its document: the time when the last source left, if all had
   * finished. Removes it while a source is connected. Call periodically.
   *
   * @param retryPause delay after a failed write
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
            "{}: the end time cannot be written: {}",
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
      LOG.error("{}: live views missed a sealed segment", folder.name(), e);
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
      LOG.error("{}: live views missed the run's closing", run.folder().name(), e);
    }
    try {
      run.close();
    } catch (IOException e) {
      LOG.warn("{}: {}", run.folder().name(), e.getMessage());
    }
  }
}
