package org.fedometer.experiments.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
import org.fedometer.experiments.host.ThisHost;
import org.fedometer.experiments.load.DatastreamsChoice;
import org.fedometer.experiments.load.FailedPids;
import org.fedometer.experiments.load.OperationsChoice;
import org.fedometer.experiments.load.StudyJson;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunParts;
import org.fedometer.store.RunState;

/**
 * What a run's folder says of the objects that Fedora should hold: the folder alone, wherever it
 * was copied to, and for a run that is paused its driver. Made by whoever verifies a run;
 * immutable.
 *
 * @param document run.json
 * @param claim which objects, and which may be missing
 * @param delivery how they got into Fedora; there is nothing to be closed
 * @param triples whether there was a triplestore
 * @param notes what is not compared, a sentence each
 */
public record RecordedRun(
    RunDocument document,
    RunClaim claim,
    ContentDelivery delivery,
    boolean triples,
    List<String> notes) {

  private static final String RUNNING = RunState.RUNNING.id();

  public RecordedRun {
    notes = List.copyOf(notes);
  }

  /**
   * Reads the record of a run. Opening its dataset can take some seconds.
   *
   * @throws IllegalArgumentException in words for the user: there is nothing that could be compared
   * @throws IOException if the record cannot be read, or the driver of a paused run does not answer
   */
  public static RecordedRun of(RunFolder folder) throws IOException {
    if (!folder.hasDocument()) {
      throw new IllegalArgumentException(
          "the run "
              + folder.name()
              + " has no run.json: it is a watch run, or has only begun; there is no dataset to"
              + " compare with");
    }
    RunDocument document = folder.document();
    return of(folder, document, RUNNING.equals(document.state()) ? paused(document) : null);
  }

  /** How far a load is that stands still. */
  private record Paused(long ingested, long failed, int workers) {}

  private static RecordedRun of(RunFolder folder, RunDocument document, Paused paused)
      throws IOException {
    Map<String, String> workload = document.workload() == null ? Map.of() : document.workload();
    requireObjects(document, workload, paused);
    Dataset dataset =
        studied(
            folder,
            workload,
            Datasets.reopen(document.dataset().name(), document.dataset().parameters()));
    int parts = parts(folder, document, workload);
    long ingested = paused == null ? document.objects().ingested() : paused.ingested();
    long failed = paused == null ? document.objects().failed() : paused.failed();
    long end = endIndex(document, dataset, paused);
    MixResult mix = mix(document, workload, paused);
    IndexRanges notIngested =
        failed == 0 ? new IndexRanges() : failedOnRecord(folder, document, dataset, parts, end);
    if (notIngested.size() > failed) {
      notIngested = new IndexRanges(); // of an earlier end of the run: some are in by now
    }
    long open = Math.max(0, end - ingested - notIngested.size());
    boolean statements = document.statements() == null || document.statements().failed() == 0;
    ContentPath path = ContentPath.named(workload.getOrDefault("content", "in-request"));
    List<String> notes = new ArrayList<>();
    if (failed > notIngested.size()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "Of %,d objects that failed it is on record of %,d which they are. As many objects as"
                  + " the others are may be missing, whichever they are.",
              failed,
              notIngested.size()));
    }
    if (path.stays()) {
      notes.add(
          "Content was at the driver's content server, which has ended with the run: it is not"
              + " compared.");
    }
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
            paused == null ? triplesInAll(document) : null);
    return new RecordedRun(
        document, claim, delivery(workload, path, dataset), document.triples() != null, notes);
  }

  private static void requireObjects(
      RunDocument document, Map<String, String> workload, Paused paused) {
    String name = document.name();
    if (document.dataset() == null || document.objects() == null) {
      throw new IllegalArgumentException(
          "the run " + name + " has loaded no dataset: there is nothing to compare with");
    }
    if (workload.containsKey(OperationsChoice.STUDY) && !isOfDatastreams(workload)) {
      throw new IllegalArgumentException(
          "the run "
              + name
              + " is a study, which changes its objects in ways that are not on record; it was"
              + " verified at its end");
    }
    if (isOfDatastreams(workload) && RUNNING.equals(document.state())) {
      throw new IllegalArgumentException(
          "the run "
              + name
              + " is a study that goes on, or was killed: how far it came is not on"
              + " record");
    }
    if (paused == null && document.objects().ingested() == 0) {
      throw new IllegalArgumentException(
          "the run " + name + " has no object ingested on record: there is nothing to compare");
    }
  }

  private static boolean isOfDatastreams(Map<String, String> workload) {
    return DatastreamsChoice.NAME.equals(workload.get(OperationsChoice.STUDY));
  }

  /** With what a study of datastreams has added, if the run is one. */
  private static Dataset studied(RunFolder folder, Map<String, String> workload, Dataset dataset)
      throws IOException {
    if (!isOfDatastreams(workload)) {
      return dataset;
    }
    OptionalLong added = StudyJson.datastreamsAdded(folder);
    if (added.isEmpty()) {
      throw new IllegalArgumentException(
          "the run "
              + folder.name()
              + " is a study of datastreams without its "
              + StudyJson.DATASTREAMS_PATH
              + ", so that it is not known how many were added: there is nothing to compare with");
    }
    return DatastreamStudy.left(dataset, added.getAsLong());
  }

  /** Up to where objects may have been begun. */
  private static long endIndex(RunDocument document, Dataset dataset, Paused paused) {
    long requested = document.objects().requested();
    boolean cutShort = paused != null || endedEarly(document);
    long number = requested;
    if (cutShort) {
      long ingested = paused == null ? document.objects().ingested() : paused.ingested();
      long failed = paused == null ? document.objects().failed() : paused.failed();
      int workers = paused == null ? mostWorkers(document) : paused.workers();
      // Each worker may have had one object under way, and the next one in hand.
      long begun = ingested + failed + 2L * workers;
      number = requested == 0 ? begun : Math.min(requested, begun);
    }
    return Math.min(dataset.size(), number);
  }

  private static boolean endedEarly(RunDocument document) {
    return RunState.FAILED.id().equals(document.state())
        || RunState.INTERRUPTED.id().equals(document.state());
  }

  /**
   * How many drivers have loaded the run.
   *
   * @throws IllegalArgumentException if one of them is not through: its objects lie between those
   *     of the others, and how far it came is not on record
   */
  private static int parts(RunFolder folder, RunDocument document, Map<String, String> workload)
      throws IOException {
    long said = number(document, workload, "shards", 1L);
    if (said < 1 || said > Shard.MOST) {
      throw unreadable(document, "shards", Long.toString(said));
    }
    int parts = (int) said;
    if (parts > 1) {
      Map<String, RunDocument> there = folder.parts();
      RunParts.disagreement(there)
          .ifPresent(
              text -> {
                throw new IllegalArgumentException(
                    "the drivers of the run "
                        + document.name()
                        + " did not load parts of the same, so that what Fedora should hold is not"
                        + " known: "
                        + text);
              });
      String missing = RunParts.missing(there.keySet()).orElse("");
      if (!missing.isEmpty() || endedEarly(document) || RUNNING.equals(document.state())) {
        throw new IllegalArgumentException(
            "the run "
                + document.name()
                + " is loaded by "
                + parts
                + " drivers, and not all of them have come to their end"
                + (missing.isEmpty()
                    ? ": resume those that have not, then verify"
                    : ": nothing has come from " + missing));
      }
      if (document.load() != null && document.load().endedBy() != null) {
        throw new IllegalArgumentException(
            "the run "
                + document.name()
                + " is loaded by "
                + parts
                + " drivers, of which one has ended before its last object ("
                + document.load().endedBy()
                + "): which objects each has begun is not on record");
      }
    }
    return parts;
  }

  private static int mostWorkers(RunDocument document) {
    int most = document.workers();
    if (document.load() != null) {
      for (RunDocument.LoadChange change : document.load().changes()) {
        most = Math.max(most, change.workers());
      }
      for (RunDocument.LoadStep step : document.load().steps()) {
        most = Math.max(most, step.workers());
      }
    }
    return most;
  }

  /** Null without a mix. */
  private static MixResult mix(RunDocument document, Map<String, String> workload, Paused paused)
      throws IOException {
    String mix = workload.get("mix");
    if (mix == null) {
      return null;
    }
    boolean atItsEnd =
        paused == null
            && (RunState.DONE.id().equals(document.state())
                || RunState.DONE_WITH_ERRORS.id().equals(document.state()))
            && (document.load() == null || document.load().endedBy() == null);
    if (!atItsEnd || document.requests() == null || document.requests().failed() > 0) {
      throw new IllegalArgumentException(
          "the run "
              + document.name()
              + " is a mix "
              + (atItsEnd
                  ? "in which requests failed: which objects they were to change is not on record"
                  : "that did not come to its last step: which steps were done is not on record")
              + "; what it left can only be verified at its end");
    }
    long steps = number(document, workload, "steps", null);
    MixOptions options =
        new MixOptions(
            Mix.parse(mix),
            number(document, workload, "mixSeed", null),
            number(document, workload, "preload", 0L),
            number(document, workload, "flushEvery", 0L));
    return new MixResult(options, steps, steps, Map.of(), 0, Set.of());
  }

  /**
   * @param standard where the run does not say; null where it has to
   */
  private static long number(
      RunDocument document, Map<String, String> workload, String fact, Long standard)
      throws IOException {
    String value = workload.get(fact);
    if (value == null && standard != null) {
      return standard;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw unreadable(document, fact, value);
    }
  }

  private static IOException unreadable(RunDocument document, String fact, String value) {
    return new IOException(
        "run.json of "
            + document.name()
            + (value == null
                ? " does not say what '" + fact + "' of its workload is"
                : " says that '" + fact + "' of its workload is '" + value + "', which cannot be")
            + ": it is damaged, and there is nothing to compare with");
  }

  private static IndexRanges failedOnRecord(
      RunFolder folder, RunDocument document, Dataset dataset, int parts, long end)
      throws IOException {
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

  private static ContentDelivery delivery(
      Map<String, String> workload, ContentPath path, Dataset dataset) throws IOException {
    // What was fetched or uploaded is managed content like any other.
    ContentPath now = path == ContentPath.INLINE_XML ? path : ContentPath.IN_REQUEST;
    return ContentDelivery.open(
        ContentOptions.of(
            now,
            Packaging.named(workload.getOrDefault("packaging", Packaging.FOXML.id())),
            ChecksumChoice.named(workload.getOrDefault("checksum", ChecksumChoice.NONE.id()))),
        dataset);
  }

  private static Long triplesInAll(RunDocument document) {
    RunDocument.TripleCounts triples = document.triples();
    return triples == null || triples.before() == null || triples.expected() == null
        ? null
        : Long.valueOf(triples.before() + triples.expected());
  }

  /** Of a run that goes on, which has to stand still. */
  private static Paused paused(RunDocument document) throws IOException {
    String name = document.name();
    Optional<RunningRuns.Answer> answer;
    try {
      answer = RunningRuns.ofUser().ask(document.id(), "show");
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the run " + name + " is on record as running. " + e.getMessage(), e);
    }
    if (answer.isEmpty()) {
      throw new IllegalArgumentException(
          "the run "
              + name
              + " is on record as running, and is not conducted by this user on this host, or was"
              + " killed; when it has ended, or was resumed to its end, it can be verified");
    }
    JsonNode load = new ObjectMapper().readTree(answer.get().json()).path("load");
    if (!load.path("paused").asBoolean()) {
      throw new IllegalArgumentException(
          "the run "
              + name
              + " goes on: its objects come while they are counted; 'fedometer pause "
              + name
              + "' first, or wait for its end");
    }
    return new Paused(
        load.path("ingested").asLong(),
        load.path("failed").asLong(),
        Math.max(document.workers(), load.path("workers").asInt()));
  }

  /**
   * The stack of this user that is up and that the run was loaded into: by the address that it was
   * given, or because the run brought it up and kept it.
   */
  public Optional<Stack> fedora() throws IOException {
    Optional<String> url = url();
    String ownHome = document.name() + "-" + document.id();
    return StackRegistry.ofUser().running().stream()
        .filter(
            stack ->
                url.filter(known -> isHere(known, stack.url().getPort())).isPresent()
                    || stack.home().getFileName().toString().equals(ownHome))
        .findFirst();
  }

  /** Whether an address is one of this host, by whatever name, and of that port. */
  static boolean isHere(String url, int port) {
    try {
      URI address = new URI(url);
      return address.getPort() == port && ThisHost.isResolvedFrom(address);
    } catch (URISyntaxException e) {
      return false; // a run's folder may be anybody's
    }
  }

  /** Fedora's address on record; empty for a run that brought up its own. */
  public Optional<String> url() {
    return Optional.ofNullable(document.environment()).map(facts -> facts.get("fedora.url"));
  }
}
