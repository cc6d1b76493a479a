package org.fedometer.analysis.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.analysis.report.RunReport.ClientTime;
import org.fedometer.analysis.report.RunReport.FailureGroup;
import org.fedometer.analysis.report.RunReport.Latency;
import org.fedometer.analysis.report.RunReport.Operation;
import org.fedometer.analysis.report.RunReport.Pace;
import org.fedometer.analysis.report.RunReport.Requests;
import org.fedometer.analysis.report.RunReport.Samples;
import org.fedometer.analysis.report.RunReport.Source;
import org.fedometer.analysis.report.RunReport.Speed;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.analysis.report.RunReport.Stages;
import org.fedometer.analysis.report.RunTables.ColdAndWarm;
import org.fedometer.analysis.report.RunTables.Recorded;
import org.fedometer.analysis.report.RunTables.RequestSummary;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.store.LoadTime;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.FailedRequest;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.RunDocument.RequestCounts;
import org.fedometer.store.RunState;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/** Builds a {@link RunReport} from {@code run.json} and the run's tables. One use, one thread. */
final class ReportBuilder {

  /** Root stage of a request's trace. */
  static final String HTTP_REQUEST = "http.request";

  private final Query query;
  private final RunDocument run;
  private final RunTables tables;
  private final RequestSummary summary;
  private final Map<String, Recorded> recorded;
  private final IngestWindow window;
  private final SampleTables sampleTables;

  ReportBuilder(RunDocument document, String name, Query query) throws QueryException {
    this.query = query;
    this.tables = new RunTables(query);
    this.summary = tables.requestSummary();
    this.run = complete(document, name);
    this.window = window();
    // Before samples are counted: samples that arrive meanwhile must not seem lost.
    this.recorded = tables.sources();
    this.sampleTables = new SampleTables(query, window);
  }

  /** Returns empty if sample files were merged meanwhile, so that sums may be incomplete: retry. */
  Optional<RunReport> build() throws QueryException {
    RunReport report = report();
    return sampleTables.hasAllFiles() ? Optional.of(report) : Optional.empty();
  }

  private RunReport report() throws QueryException {
    ObjectCounts objects = objects();
    Requests requests = requests();
    List<Operation> operations = tables.operations();
    Speed speed = speed(objects, operations);
    Samples samples = samples();
    Stages stages = stages();
    ClientTime clientTime = clientTime(stages);
    return new RunReport(
        run,
        objects,
        requests,
        operations,
        speed,
        clientTime,
        samples,
        tables.logCounts(),
        stages,
        ReportPart.of(query),
        new ProblemFinder(
                run,
                objects,
                requests,
                operations,
                summary,
                samples,
                tables.lostTriples(),
                stages.requests(),
                notSealed(samples))
            .find());
  }

  /**
   * Returns the ingest's window. The document of a killed run precedes its ingest; the requests
   * then determine it.
   */
  private IngestWindow window() {
    if (RunState.MONITORING.is(run.state())) {
      return IngestWindow.ALL;
    }
    IngestWindow ofPhases = IngestWindow.of(run.phases());
    return ofPhases.equals(IngestWindow.NONE) && summary.ingestsSent() > 0
        ? new IngestWindow(
            summary.firstStartNanos(), summary.lastEndNanos(), summary.lastEndNanos())
        : ofPhases;
  }

  /** Returns the document's counts, but at least as many ingested objects as the requests prove. */
  private ObjectCounts objects() {
    ObjectCounts counts = run.objects();
    if (counts == null || counts.ingested() >= summary.objectsIngested()) {
      return counts;
    }
    return new ObjectCounts(
        // The number of objects of a timed load is unknown beforehand.
        Math.max(counts.requested(), summary.objectsIngested()),
        summary.objectsIngested(),
        counts.failed(),
        counts.counted(),
        counts.verified(),
        counts.bytes(),
        counts.purged());
  }

  /** Uses the table if it has rows, since the document lists only the first failures. */
  private Requests requests() throws QueryException {
    if (summary.sent() > 0) {
      return new Requests(
          summary.sent(), summary.retried(), summary.failed(), tables.failureGroups());
    }
    RequestCounts counts = run.requests();
    return counts == null || counts.sent() == 0
        ? null
        : new Requests(counts.sent(), counts.retried(), counts.failed(), grouped(counts));
  }

  private static List<FailureGroup> grouped(RequestCounts counts) {
    Map<List<Object>, FailureGroup> groups = new LinkedHashMap<>();
    for (FailedRequest failure : orEmpty(counts.failures())) {
      String pid = orEmpty(failure.pid());
      String message = orEmpty(failure.message());
      String operation = failure.operation() == null ? RunReport.INGEST : failure.operation();
      List<Object> key =
          List.of(operation, failure.status(), pid.isEmpty() ? message : message.replace(pid, ""));
      groups.merge(
          key,
          new FailureGroup(operation, 1, failure.status(), message, pid),
          (first, next) ->
              new FailureGroup(
                  first.operation(),
                  first.count() + 1,
                  first.status(),
                  first.message(),
                  first.firstPid()));
    }
    return groups.values().stream()
        .sorted((a, b) -> Long.compare(b.count(), a.count()))
        .limit(RunTables.MAX_FAILURE_GROUPS)
        .toList();
  }

  private Speed speed(ObjectCounts objects, List<Operation> operations) throws QueryException {
    long ingested = objects == null ? summary.objectsIngested() : objects.ingested();
    if (ingested == 0 || window.equals(IngestWindow.NONE) || window.equals(IngestWindow.ALL)) {
      return null;
    }
    Latency latency =
        operations.stream()
            .filter(Operation::isIngest)
            .map(Operation::serviceTime)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    long start = window.startNanos();
    long lastAnswer;
    if (latency != null) {
      lastAnswer = summary.lastAnswerNanos();
    } else if (window.ingestEnded()) {
      lastAnswer = window.ingestEndNanos();
    } else {
      return null;
    }
    Pace ingest = new Pace(ingested, between(start, lastAnswer), latency);
    Pace overall =
        new Pace(
            ingested, between(start, window.drained() ? window.drainEndNanos() : lastAnswer), null);
    long ingests = latency == null ? 0 : latency.count();
    Completions completions = tables.completions(ingests);
    Long given = run.experiment() == null ? null : run.experiment().warmObjects();
    WarmUp warmUp = given == null ? completions.warmUp(ingests) : WarmUp.given(given, ingests);
    if (warmUp.verdict() == WarmUp.Verdict.TOO_SHORT) {
      return new Speed(overall, window.drained(), ingest, warmUp, null, null, null);
    }
    SizeSlope growth = completions.growth(warmUp);
    // For a run that never settled, the halves are shown.
    long coldObjects =
        warmUp.verdict() == WarmUp.Verdict.NOT_SETTLED ? ingests / 2 : warmUp.coldObjects();
    if (coldObjects == 0) {
      Pace warm = new Pace(ingests, between(start, lastAnswer), latency);
      return new Speed(overall, window.drained(), ingest, warmUp, null, warm, growth);
    }
    ColdAndWarm parts = tables.coldAndWarm(coldObjects);
    long warmFrom = parts.coldEndNanos();
    Pace cold = new Pace(coldObjects, between(start, warmFrom), parts.cold());
    Pace warm =
        parts.warm() == null
            ? null
            : new Pace(ingests - coldObjects, between(warmFrom, lastAnswer), parts.warm());
    return new Speed(overall, window.drained(), ingest, warmUp, cold, warm, growth);
  }

  private long between(long from, long to) {
    return LoadTime.between(from, to, run);
  }

  /**
   * Returns the stages. The time of all requests is that of request threads in {@code
   * http.request}. If samples of it were dropped, the remaining stages' self times can exceed it;
   * they are then the 100 %, so that shares never sum up to more than 1.
   */
  private Stages stages() throws QueryException {
    List<Stage> measured = sampleTables.stages();
    long requests = 0;
    long requestNanos = 0;
    long selfNanos = 0;
    for (Stage stage : measured) {
      selfNanos += stage.requestSelfNanos();
      if (stage.name().equals(HTTP_REQUEST)) {
        requests = stage.count();
        requestNanos = stage.totalNanos();
      }
    }
    long hundredPercent = Math.max(requestNanos, selfNanos);
    List<Stage> list = new ArrayList<>(measured.size());
    for (Stage stage : measured) {
      list.add(
          new Stage(
              stage.name(),
              stage.count(),
              stage.failed(),
              stage.totalNanos(),
              stage.selfNanos(),
              stage.requestSelfNanos(),
              hundredPercent == 0 ? null : (double) stage.requestSelfNanos() / hundredPercent,
              stage.outsideCount(),
              stage.p50Nanos(),
              stage.p95Nanos(),
              stage.p99Nanos(),
              stage.maxNanos()));
    }
    return new Stages(requests, hundredPercent, list);
  }

  private Samples samples() {
    Map<String, Long> received = sampleTables.received();
    Set<String> names = new TreeSet<>(received.keySet());
    recorded.forEach(
        (source, of) -> {
          if (of.hasTotals()) {
            names.add(source);
          }
        });
    List<Source> sources =
        names.stream()
            .map(
                source -> {
                  Recorded of = recorded.getOrDefault(source, Recorded.NOTHING);
                  return new Source(
                      source,
                      of.name(),
                      of.samples(),
                      received.getOrDefault(source, 0L),
                      of.samplesDropped(),
                      of.framesDropped(),
                      of.tracesDropped(),
                      of.stagesSkipped(),
                      of.threadsRefused(),
                      of.finalTotals());
                })
            .toList();
    return new Samples(
        sources.stream().mapToLong(Source::received).sum(),
        sources.stream().mapToLong(Source::dropped).sum(),
        sources.stream().mapToLong(Source::lost).sum(),
        sources);
  }

  /**
   * Returns the number of a growing run's samples that are in no table yet; 0 for one that ended.
   */
  private long notSealed(Samples samples) throws QueryException {
    return RunState.MONITORING.is(run.state()) || RunState.RUNNING.is(run.state())
        ? Math.max(0, tables.samplesArrived() - samples.received())
        : 0;
  }

  /**
   * Returns null unless both means are over the same requests: not if {@code http.request} samples
   * are missing or other clients used Fedora meanwhile.
   */
  private ClientTime clientTime(Stages stages) {
    Stage httpRequest =
        stages.list().stream()
            .filter(stage -> stage.name().equals(HTTP_REQUEST))
            .findFirst()
            .orElse(null);
    if (httpRequest == null || summary.answered() == 0) {
      return null;
    }
    long difference = Math.abs(httpRequest.count() - summary.answered());
    return difference > RunReport.fewOf(summary.answered())
        ? null
        : new ClientTime(summary.meanAnsweredNanos(), httpRequest.meanNanos());
  }

  /**
   * Returns the document with empty collections for null. Without a document it is a monitoring
   * run; but with requests, it is a run killed before one was written.
   */
  private RunDocument complete(RunDocument document, String name) {
    if (document == null) {
      RunState state = summary.sent() == 0 ? RunState.MONITORING : RunState.RUNNING;
      return RunDocument.builder(name, state.id()).build();
    }
    return document.toBuilder()
        .name(document.name() == null ? name : document.name())
        .state(document.state() == null ? RunState.RUNNING.id() : document.state())
        .workload(orEmpty(document.workload()))
        .phases(orEmpty(document.phases()).stream().filter(ReportBuilder::named).toList())
        .outages(orEmpty(document.outages()).stream().filter(Objects::nonNull).toList())
        .load(complete(document.load()))
        .versions(orEmpty(document.versions()))
        .environment(orEmpty(document.environment()))
        .configurationFiles(orEmpty(document.configurationFiles()))
        .logFiles(orEmpty(document.logFiles()))
        .notes(orEmpty(document.notes()))
        .build();
  }

  private static RunDocument.Load complete(RunDocument.Load load) {
    return load == null
        ? null
        : new RunDocument.Load(
            load.endedBy(),
            load.highestCleanRate(),
            orEmpty(load.steps()).stream().filter(Objects::nonNull).toList(),
            orEmpty(load.pauses()).stream().filter(Objects::nonNull).toList(),
            orEmpty(load.changes()).stream().filter(Objects::nonNull).toList());
  }

  private static boolean named(Phase phase) {
    return phase != null && phase.name() != null;
  }

  private static <T> List<T> orEmpty(List<T> list) {
    return list == null ? List.of() : list;
  }

  private static Map<String, String> orEmpty(Map<String, String> map) {
    return map == null ? Map.of() : map;
  }

  private static String orEmpty(String text) {
    return text == null ? "" : text;
  }
}
