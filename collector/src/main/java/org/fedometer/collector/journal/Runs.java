package org.fedometer.collector.journal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.fedometer.store.Durable;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.Ulid;
import org.fedometer.wire.Hello;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs that are open, by name, and the way from a HELLO to one. For the journal's thread. */
final class Runs {
  private static final Logger LOG = LoggerFactory.getLogger(Runs.class);

  private final RunStore store;
  private final Map<String, RunJournal> open = new LinkedHashMap<>();
  private final Set<String> openNames = ConcurrentHashMap.newKeySet();

  Runs(RunStore store) {
    this.store = store;
  }

  Collection<RunJournal> all() {
    return Collections.unmodifiableCollection(open.values());
  }

  /** Whether a run of that name is open; any thread. */
  boolean isOpen(String name) {
    return openNames.contains(name);
  }

  RunJournal openOrNull(String name) {
    return open.get(name);
  }

  /** Opens every run that an earlier collector left with frames not sealed. */
  void recover() throws IOException {
    for (RunFolder folder : store.runs()) {
      if (folder.segmentFiles().isEmpty()) {
        continue;
      }
      try {
        RunJournal run = RunJournal.open(folder, "");
        if (run.hasUnsealedFrames() || !run.unsealed().isEmpty()) {
          LOG.info("{}: recovered what an earlier collector had not sealed", folder.name());
          add(run);
        } else {
          run.close();
        }
      } catch (IOException | RunTakenException e) {
        LOG.error("{} cannot be recovered: {}", folder.path(), e.getMessage());
      }
    }
  }

  /**
   * The run that a source belongs to, opened if need be.
   *
   * @throws RunTakenException what the source asks for cannot be; the message says why
   */
  RunJournal of(Hello hello) throws IOException, RunTakenException {
    if (!hello.runId().isEmpty() && !Ulid.isUlid(hello.runId())) {
      throw new RunTakenException("\"" + hello.runId() + "\" is not a ULID");
    }
    if (!hello.runName().isEmpty() && !RunFolder.isValidName(hello.runName())) {
      throw new RunTakenException(
          "a run's name has 1 to 100 letters, digits, '.', '_' and '-' and does not begin with a"
              + " dot: not \""
              + hello.runName()
              + "\"");
    }
    if (!hello.runId().isEmpty()) {
      for (RunJournal run : open.values()) {
        if (run.runId().equals(hello.runId())) {
          return run;
        }
      }
    }
    if (!hello.runName().isEmpty()) {
      return named(hello.runName(), hello.runId());
    }
    return hello.runId().isEmpty() ? watchRunOf(hello) : named(hello.runId(), hello.runId());
  }

  private RunJournal named(String name, String runId) throws IOException, RunTakenException {
    RunJournal run = open.get(name);
    if (run == null) {
      run = RunJournal.open(store.folderOf(name), runId);
      add(run);
      LOG.info("Run {} ({}) is open", name, run.runId());
    } else if (!runId.isEmpty() && !runId.equals(run.runId())) {
      throw new RunTakenException(
          "the run name \""
              + name
              + "\" belongs to the run "
              + run.runId()
              + " already; choose another name");
    }
    return run;
  }

  /** A source outside any run gets one of its own, and finds it again when it comes back. */
  private RunJournal watchRunOf(Hello hello) throws IOException, RunTakenException {
    String suffix = "-" + hello.source().toString().substring(0, 8);
    String name =
        existingWatchRun(suffix).orElse("watch-" + LocalDate.now(ZoneOffset.UTC) + suffix);
    RunJournal run = named(name, "");
    if (!Files.exists(run.folder().documentFile())) {
      Durable.replace(run.folder().documentFile(), RunDocumentJson.write(watchDocument(run)));
    }
    return run;
  }

  private java.util.Optional<String> existingWatchRun(String suffix) throws IOException {
    List<String> names = new ArrayList<>();
    Path runs = store.directory().resolve("runs");
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(runs, "watch-*" + suffix)) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    } catch (NoSuchFileException e) {
      return java.util.Optional.empty();
    }
    return names.stream().max(String::compareTo);
  }

  private static RunDocument watchDocument(RunJournal run) {
    return new RunDocument(
        RunDocument.SCHEMA,
        run.runId(),
        run.folder().name(),
        "watch",
        null,
        null,
        null,
        0,
        null,
        null,
        null,
        null,
        List.of(),
        Map.of(),
        Map.of(),
        List.of(),
        List.of(),
        null,
        Instant.now().toString(),
        null);
  }

  private void add(RunJournal run) {
    open.put(run.folder().name(), run);
    openNames.add(run.folder().name());
  }

  /** Lets go of a run that has nothing left to do. */
  void forget(RunJournal run) {
    open.remove(run.folder().name());
    openNames.remove(run.folder().name());
    try {
      run.close();
    } catch (IOException e) {
      LOG.warn("{}: {}", run.folder().name(), e.getMessage());
    }
  }
}
