package org.fedometer.experiments.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.content.ChecksumChoice;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.mix.Mix;
import org.fedometer.driver.mix.MixOptions;
import org.fedometer.driver.mix.MixResult;
import org.fedometer.driver.request.Shard;
import org.fedometer.driver.study.DatastreamStudy;
import org.fedometer.driver.verify.RunClaim;
import org.fedometer.experiments.load.DatastreamsChoice;
import org.fedometer.experiments.load.FailedPids;
import org.fedometer.experiments.load.OperationsChoice;
import org.fedometer.experiments.load.StudyJson;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunParts;
import org.fedometer.store.RunState;
import org.fedometer.wire.Counted;

/** Reads from a run's folder which objects Fedora should hold, on the caller's thread. */
final class RunReading {
  private static final String RUNNING = RunState.RUNNING.id();

  private final RunFolder folder;
  private final RunDocument document;
  private final Map<String, String> workload;

  /** Progress of a paused run; empty for an ended one. */
  private final Optional<Reached> paused;

  private RunReading(RunFolder folder, RunDocument document, Optional<Reached> paused) {
    this.folder = folder;
    this.document = document;
    this.workload = document.workload() == null ? Map.of() : document.workload();
    this.paused = paused;
  }

  /** Progress of a load; workers that may each have had objects under way, empty at its end. */
  private record Reached(long ingested, long failed, OptionalInt workers) {}

  static RecordedRun of(RunFolder folder) throws IOException {
    if (!folder.hasDocument()) {
      throw new IllegalArgumentException(
          "the run "
              + folder.name()
              + " cannot be verified: it has no run.json, as it is a monitoring run or has just"
              + " begun");
    }
    RunDocument document = folder.document();
    Optional<Reached> paused =
        RUNNING.equals(document.state()) ? Optional.of(paused(document)) : Optional.empty();
    return new RunReading(folder, document, paused).recorded();
  }

  /** Returns the progress of a running run, which must be paused. */
  private static Reached paused(RunDocument document) throws IOException {
    String name = document.name();
    Optional<RunningRuns.RunResponse> answer;
    try {
      answer = RunningRuns.ofUser().send(document.id(), "status");
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the run " + name + " is recorded as running. " + e.getMessage(), e);
    }
    if (answer.isEmpty()) {
      throw new IllegalArgumentException(
          "the run "
              + name
              + " is recorded as running, but was killed, or is driven by another user or host;"
              + " verify it after its end, or resume it first");
    }
    JsonNode load = new ObjectMapper().readTree(answer.get().json()).path("load");
    if (!load.path("paused").asBoolean()) {
      throw new IllegalArgumentException(
          "the run "
              + name
              + " is in progress, so its counts change; give 'fedometer load pause "
              + name
              + "' first, or wait for its end");
    }
    return new Reached(
        load.path("ingested").asLong(),
        load.path("failed").asLong(),
        OptionalInt.of(Math.max(document.workers(), load.path("workers").asInt())));
  }

  private RecordedRun recorded() throws IOException {
    requireObjects();
    Dataset dataset =
        studied(Datasets.reopen(document.dataset().name(), document.dataset().parameters()));
    int parts = parts();
    Reached reached = paused.orElseGet(this::ended);
    long failed = reached.failed();
    long end = endIndex(dataset, reached);
    MixResult mix = mix();
    IndexRanges notIngested = failed == 0 ? new IndexRanges() : failedOnRecord(dataset, parts, end);
    if (notIngested.size() > failed) {
      notIngested = new IndexRanges(); // from an earlier end of the run: some are ingested by now
    }
    long open = Math.max(0, end - reached.ingested() - notIngested.size());
    boolean statements = document.statements() == null || document.statements().failed() == 0;
    ContentPath path = ContentPath.named(workload.getOrDefault("content", "in-request"));
    RunClaim claim =
        new RunClaim(
            dataset,
            0,
            end,
            notIngested,
            open,
            open == 0 && notIngested.isEmpty() && statements,
            mix,
            path.stays(),
            paused.isPresent() ? null : triplesInAll());
    return new RecordedRun(
        document,
        claim,
        delivery(path, dataset),
        document.triples() != null,
        notes(failed, notIngested.size(), path));
  }

  private void requireObjects() {
    String name = document.name();
    if (document.dataset() == null || document.objects() == null) {
      throw new IllegalArgumentException(
          "the run " + name + " cannot be verified: it has loaded no dataset");
    }
    if (workload.containsKey(OperationsChoice.STUDY) && !isOfDatastreams()) {
      throw new IllegalArgumentException(
          "the run "
              + name
              + " is a study, whose changes to objects are not recorded; it was verified at its"
              + " end");
    }
    if (isOfDatastreams() && RUNNING.equals(document.state())) {
      throw new IllegalArgumentException(
          "the run "
              + name
              + " cannot be verified: it is a study in progress or killed, whose progress is not"
              + " recorded");
    }
    if (paused.isEmpty() && document.objects().ingested() == 0) {
      throw new IllegalArgumentException(
          "the run " + name + " cannot be verified: it has no ingested object on record");
    }
  }

  private boolean isOfDatastreams() {
    return DatastreamsChoice.NAME.equals(workload.get(OperationsChoice.STUDY));
  }

  private Dataset studied(Dataset dataset) throws IOException {
    if (!isOfDatastreams()) {
      return dataset;
    }
    OptionalLong added = StudyJson.datastreamsAdded(folder);
    if (added.isEmpty()) {
      throw new IllegalArgumentException(
          "the run "
              + folder.name()
              + " cannot be verified: it is a study of datastreams without "
              + StudyJson.DATASTREAMS_PATH
              + ", which has the number of added datastreams");
    }
    return DatastreamStudy.expected(dataset, added.getAsLong());
  }

  /**
   * Returns the number of drivers that have loaded the run.
   *
   * @throws IllegalArgumentException if one of them is incomplete: its objects lie between those of
   *     the others, and its progress is not recorded
   */
  private int parts() throws IOException {
    long count = number("shards", 1L);
    if (count < 1 || count > Shard.MAX_COUNT) {
      throw unreadable("shards", Long.toString(count));
    }
    int parts = (int) count;
    if (parts > 1) {
      Map<String, RunDocument> there = folder.parts();
      RunParts.disagreement(there)
          .ifPresent(
              text -> {
                throw new IllegalArgumentException(
                    "the drivers of the run "
                        + document.name()
                        + " did not load parts of the same dataset, so the expected objects are"
                        + " unknown: "
                        + text);
              });
      String missing = RunParts.missing(there.keySet()).orElse("");
      if (!missing.isEmpty() || endedEarly() || RUNNING.equals(document.state())) {
        throw new IllegalArgumentException(
            "the run "
                + document.name()
                + " is loaded by "
                + parts
                + " drivers, and not all of them have finished"
                + (missing.isEmpty()
                    ? ": resume the others, then verify"
                    : ": there is no data of " + missing));
      }
      if (document.load() != null && document.load().endedBy() != null) {
        throw new IllegalArgumentException(
            "the run "
                + document.name()
                + " is loaded by "
                + parts
                + " drivers, and one of them stopped before its last object ("
                + document.load().endedBy()
                + "): the objects that each has sent are not recorded");
      }
    }
    return parts;
  }

  private Reached ended() {
    return new Reached(
        document.objects().ingested(),
        document.objects().failed(),
        endedEarly() ? OptionalInt.of(maxWorkers()) : OptionalInt.empty());
  }

  private int maxWorkers() {
    int max = document.workers();
    if (document.load() != null) {
      for (RunDocument.LoadChange change : document.load().changes()) {
        max = Math.max(max, change.workers());
      }
      for (RunDocument.LoadStep step : document.load().steps()) {
        max = Math.max(max, step.workers());
      }
    }
    return max;
  }

  private boolean endedEarly() {
    return RunState.FAILED.id().equals(document.state())
        || RunState.INTERRUPTED.id().equals(document.state());
  }

  /** Returns the index after all objects that may have been begun. */
  private long endIndex(Dataset dataset, Reached reached) {
    long requested = document.objects().requested();
    long number = requested;
    if (reached.workers().isPresent()) {
      // Each worker may have had one object under way, and one prepared.
      long begun = reached.ingested() + reached.failed() + 2L * reached.workers().getAsInt();
      number = requested == 0 ? begun : Math.min(requested, begun);
    }
    return Math.min(dataset.size(), number);
  }

  private MixResult mix() throws IOException {
    String mix = workload.get("mix");
    if (mix == null) {
      return null;
    }
    boolean atItsEnd =
        paused.isEmpty()
            && (RunState.DONE.id().equals(document.state())
                || RunState.DONE_WITH_ERRORS.id().equals(document.state()))
            && (document.load() == null || document.load().endedBy() == null);
    if (!atItsEnd || document.requests() == null || document.requests().failed() > 0) {
      throw new IllegalArgumentException(
          "the run "
              + document.name()
              + " is a mix "
              + (atItsEnd
                  ? "with failed requests, whose objects are not recorded"
                  : "that did not reach its last step, and its steps are not recorded")
              + "; such a mix can only be verified at its end");
    }
    long steps = number("steps", null);
    MixOptions options =
        new MixOptions(
            Mix.parse(mix),
            number("mixSeed", null),
            number("preload", 0L),
            number("flushEvery", 0L));
    return new MixResult(options, steps, steps, Map.of(), 0, Set.of());
  }

  /** Returns a number; the default if missing. A null default makes it mandatory. */
  private long number(String fact, Long standard) throws IOException {
    String value = workload.get(fact);
    if (value == null && standard != null) {
      return standard;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw unreadable(fact, value);
    }
  }

  private IOException unreadable(String fact, String value) {
    return new IOException(
        "run.json of "
            + document.name()
            + (value == null
                ? " has no '" + fact + "' of its workload"
                : " has an invalid '" + fact + "' of its workload, '" + value + "'")
            + ": the file is damaged, so the run cannot be verified");
  }

  private IndexRanges failedOnRecord(Dataset dataset, int parts, long end) throws IOException {
    List<String> pids = new ArrayList<>();
    for (int number = 1; number <= parts; number++) {
      String file =
          RunDocumentWriter.fileOfPart(document.name(), new Shard(number, parts), FailedPids.FILE);
      if (folder.files().stream().anyMatch(each -> each.path().equals(file))) {
        try (InputStream in = folder.open(file)) {
          new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(pids::add);
        }
      }
    }
    return RunClaim.indicesOf(dataset, end, pids);
  }

  private ContentDelivery delivery(ContentPath path, Dataset dataset) throws IOException {
    // Fetched or uploaded content is managed content like any other.
    ContentPath now = path == ContentPath.INLINE_XML ? path : ContentPath.IN_REQUEST;
    return ContentDelivery.open(
        ContentOptions.of(
            now,
            Packaging.named(workload.getOrDefault("packaging", Packaging.FOXML.id())),
            ChecksumChoice.named(workload.getOrDefault("checksum", ChecksumChoice.NONE.id()))),
        dataset);
  }

  /**
   * @param named number of failed objects with recorded PIDs
   */
  private static List<String> notes(long failed, long named, ContentPath path) {
    List<String> notes = new ArrayList<>();
    if (failed > named) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s failed, and the run names %,d of them. As many objects as it does not"
                  + " name may be missing.",
              Counted.of(failed, "object"),
              named));
    }
    if (path.stays()) {
      notes.add(
          "Content is not compared: it was on the driver's content server, which stopped"
              + " with the run.");
    }
    return notes;
  }

  private Long triplesInAll() {
    RunDocument.TripleCounts triples = document.triples();
    return triples == null || triples.before() == null || triples.expected() == null
        ? null
        : Long.valueOf(triples.before() + triples.expected());
  }
}
