package org.fedometer.analysis.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.analysis.JsonNumbers;
import org.fedometer.analysis.report.RunReport.ClientTime;
import org.fedometer.analysis.report.RunReport.Latency;
import org.fedometer.analysis.report.RunReport.Pace;
import org.fedometer.analysis.report.RunReport.Speed;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.store.LoadTime;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.TripleCounts;
import org.fedometer.store.RunDocument.Verification;

/**
 * Writes a {@link RunReport} as one JSON object with all fields in a fixed order, null if unknown.
 * {@code docs/report.md} lists the fields and units. Fields may be added but never renamed while
 * {@code schema} stays the same: whole records keep their components' names and order.
 */
public final class JsonReport {

  public static final int SCHEMA = 1;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final double NANOS_A_MICRO = 1e3;
  private static final double NANOS_A_MILLI = 1e6;
  private static final double NANOS_A_SECOND = 1e9;

  private static final TripleCounts NO_TRIPLES = new TripleCounts(null, null, null);
  private static final RunReport.Requests NO_REQUESTS = new RunReport.Requests(0, 0, 0, List.of());

  private final RunReport report;
  private final RunDocument run;

  private JsonReport(RunReport report) {
    this.report = report;
    this.run = report.run();
  }

  /** Returns the report as one indented JSON object. */
  public static String of(RunReport report) {
    return new JsonReport(report).root().toPrettyString();
  }

  private ObjectNode root() {
    ObjectNode root = NODES.objectNode();
    root.put("schema", SCHEMA);
    root.put("run", run.name());
    root.put("id", run.id());
    root.put("state", run.state());
    root.put("endedWell", report.endedWell());
    root.put("started", run.started());
    root.put("ended", run.ended());
    root.putPOJO("failure", run.failure());
    root.set("problems", problems());
    root.put("profile", run.profile() == null ? null : run.profile().name());
    root.set("profileChoices", map(run.profile() == null ? null : run.profile().choices()));
    root.set("profileSettings", map(run.profile() == null ? null : run.profile().settings()));
    root.put("dataset", run.dataset() == null ? null : run.dataset().name());
    root.set("datasetParameters", map(run.dataset() == null ? null : run.dataset().parameters()));
    root.put("workers", report.isMonitoringRun() ? null : (Integer) run.workers());
    root.putPOJO("imported", run.imported());
    root.put("ratePerSecond", run.ratePerSecond());
    root.putPOJO("workload", run.workload());
    root.set("load", load());
    root.set("outages", outages());
    root.set("objects", objects());
    root.putPOJO("statements", run.statements());
    root.putPOJO("triples", run.triples() == null ? NO_TRIPLES : run.triples());
    root.set("verification", verification());
    root.putPOJO("requests", report.requests() == null ? NO_REQUESTS : report.requests());
    root.set("operations", operations());
    root.set("throughput", throughput());
    root.set("latency", latency());
    root.set("client", client());
    report.parts().forEach(part -> root.set(part.field(), part.json()));
    root.set("samples", samples());
    root.putPOJO("logs", report.logs());
    ObjectNode ingestRequests = root.putObject("httpRequests");
    ingestRequests.put("count", report.stages().requests());
    ingestRequests.put("totalMillis", rounded(report.stages().requestNanos() / NANOS_A_MILLI));
    root.set("stages", stages());
    root.set("phases", phases());
    root.putPOJO("versions", run.versions());
    root.putPOJO("environment", run.environment());
    root.putPOJO("configurationFiles", run.configurationFiles());
    root.putPOJO("logFiles", run.logFiles());
    return root;
  }

  private ArrayNode problems() {
    ArrayNode array = NODES.arrayNode();
    for (RunReport.Problem problem : report.problems()) {
      ObjectNode node = array.addObject();
      node.put("severity", problem.severity().name().toLowerCase(Locale.ROOT));
      node.put("message", problem.message());
    }
    return array;
  }

  private ObjectNode objects() {
    ObjectCounts counts = report.objects();
    ObjectNode node = NODES.objectNode();
    node.put("requested", counts == null ? null : (Long) counts.requested());
    node.put("ingested", counts == null ? null : (Long) counts.ingested());
    node.put("failed", counts == null ? null : (Long) counts.failed());
    node.put("counted", counts == null ? null : counts.counted());
    node.put("verified", counts == null ? null : (Long) counts.verified());
    node.put("bytes", counts == null ? null : (Long) counts.bytes());
    node.put("purged", counts == null ? null : (Long) counts.purged());
    return node;
  }

  private ObjectNode verification() {
    Verification verification = run.verification();
    if (verification == null) {
      return null;
    }
    ObjectNode node = NODES.objectNode();
    node.put("ok", verification.ok());
    node.put("sampledObjects", verification.sampledObjects());
    node.put("sampledBytes", verification.sampledBytes());
    return node;
  }

  private ArrayNode operations() {
    ArrayNode array = NODES.arrayNode();
    for (RunReport.Operation operation : report.operations()) {
      ObjectNode node = array.addObject();
      node.put("name", operation.name());
      node.put("count", operation.count());
      node.put("failed", operation.failed());
      node.put("givenUp", operation.givenUp());
      node.put("late", operation.late());
      putLatency(node.putObject("serviceTime"), operation.serviceTime());
      putLatency(node.putObject("responseTime"), operation.responseTime());
    }
    return array;
  }

  private ObjectNode throughput() {
    Speed speed = report.speed();
    ObjectNode node = NODES.objectNode();
    node.put(
        "objectsPerSecond", speed == null ? null : rounded(speed.overall().objectsPerSecond()));
    node.put("finalFlushIncluded", speed == null ? null : (Boolean) speed.finalFlushIncluded());
    node.put("seconds", speed == null ? null : rounded(speed.overall().nanos() / NANOS_A_SECOND));
    node.set("ingest", pace(speed == null ? null : speed.ingest()));
    node.set("cold", pace(speed == null ? null : speed.cold()));
    node.set("warm", pace(speed == null ? null : speed.warm()));
    if (speed == null) {
      node.putNull("warmUp");
    } else {
      ObjectNode warmUp = node.putObject("warmUp");
      warmUp.put("method", speed.warmUp().verdict() == WarmUp.Verdict.GIVEN ? "given" : "MSER-5");
      warmUp.put(
          "verdict", speed.warmUp().verdict().name().toLowerCase(Locale.ROOT).replace('_', '-'));
      warmUp.put("coldObjects", speed.warmUp().coldObjects());
    }
    node.set("growth", JsonNumbers.slope(speed == null ? null : speed.growth()));
    return node;
  }

  private static ObjectNode pace(Pace pace) {
    if (pace == null) {
      return null;
    }
    ObjectNode node = NODES.objectNode();
    node.put("objects", pace.objects());
    node.put("seconds", rounded(pace.nanos() / NANOS_A_SECOND));
    node.put("objectsPerSecond", rounded(pace.objectsPerSecond()));
    return node;
  }

  private ObjectNode latency() {
    Speed speed = report.speed();
    ObjectNode node = NODES.objectNode();
    node.put("kind", "service-time");
    node.put("model", report.imported() ? null : report.openModel() ? "open" : "closed");
    node.put("scope", "within-run");
    putLatency(node, speed == null ? null : speed.ingest().latency());
    node.set("cold", latency(speed == null ? null : speed.cold()));
    node.set("warm", latency(speed == null ? null : speed.warm()));
    return node;
  }

  private static ObjectNode latency(Pace pace) {
    if (pace == null || pace.latency() == null) {
      return null;
    }
    ObjectNode node = NODES.objectNode();
    putLatency(node, pace.latency());
    return node;
  }

  static void putLatency(ObjectNode node, Latency latency) {
    node.put("count", latency == null ? 0 : latency.count());
    node.put("meanMillis", millis(latency == null ? null : latency.meanNanos()));
    node.put("p50Millis", millis(latency == null ? null : (double) latency.p50Nanos()));
    node.put("p95Millis", millis(latency == null ? null : (double) latency.p95Nanos()));
    node.put("p99Millis", millis(latency == null ? null : (double) latency.p99Nanos()));
    node.put("maxMillis", millis(latency == null ? null : (double) latency.maxNanos()));
  }

  private ObjectNode client() {
    ClientTime client = report.clientTime();
    if (client == null) {
      return null;
    }
    ObjectNode node = NODES.objectNode();
    node.put("meanMillis", millis(client.meanNanos()));
    node.put("meanHttpRequestMillis", millis(client.meanHttpRequestNanos()));
    node.put("beyondFedoraMillis", millis(client.beyondFedoraNanos()));
    return node;
  }

  private ObjectNode samples() {
    ObjectNode node = NODES.objectNode();
    node.put("received", report.samples().received());
    node.put("dropped", report.samples().dropped());
    node.put("lost", report.samples().lost());
    ArrayNode sources = node.putArray("sources");
    for (RunReport.Source source : report.samples().sources()) {
      ObjectNode child = sources.addObject();
      child.put("source", source.source());
      child.put("name", source.name());
      child.put("recorded", source.recorded());
      child.put("received", source.received());
      child.put("dropped", source.dropped());
      child.put("lost", source.lost());
      child.put("framesDropped", source.framesDropped());
      child.put("tracesDropped", source.tracesDropped());
      child.put("stagesSkipped", source.stagesSkipped());
      child.put("threadsRefused", source.threadsRefused());
      child.put("finalTotals", source.finalTotals());
    }
    return node;
  }

  private ArrayNode stages() {
    ArrayNode array = NODES.arrayNode();
    for (Stage stage : report.stages().list()) {
      ObjectNode node = array.addObject();
      node.put("name", stage.name());
      node.put("count", stage.count());
      node.put("failed", stage.failed());
      node.put("totalMillis", millis((double) stage.totalNanos()));
      node.put("selfMillis", millis((double) stage.selfNanos()));
      node.put("requestSelfMillis", millis((double) stage.requestSelfNanos()));
      node.put("share", stage.share() == null ? null : rounded(stage.share(), 6));
      node.put("outsideRequests", stage.outside());
      node.put("outsideCount", stage.outsideCount());
      node.put("meanMicros", rounded(stage.meanNanos() / NANOS_A_MICRO));
      node.put("p50Micros", rounded(stage.p50Nanos() / NANOS_A_MICRO));
      node.put("p95Micros", rounded(stage.p95Nanos() / NANOS_A_MICRO));
      node.put("p99Micros", rounded(stage.p99Nanos() / NANOS_A_MICRO));
      node.put("maxMicros", rounded(stage.maxNanos() / NANOS_A_MICRO));
    }
    return array;
  }

  private ObjectNode load() {
    RunDocument.Load load = run.load();
    if (load == null) {
      return null;
    }
    ObjectNode node = NODES.objectNode();
    node.put("endedBy", load.endedBy());
    node.put("highestCleanRate", load.highestCleanRate());
    ArrayNode steps = node.putArray("steps");
    for (RunDocument.LoadStep step : load.steps()) {
      ObjectNode one = steps.addObject();
      one.put("outcome", step.outcome());
      one.put("workers", step.workers());
      one.put("ratePerSecond", step.ratePerSecond());
      one.put("seconds", rounded(step.seconds()));
      one.put("ingested", step.ingested());
      one.put("objectsPerSecond", rounded(step.objectsPerSecond()));
      one.put("operations", step.done());
      one.put("operationsPerSecond", rounded(step.donePerSecond()));
      one.put("failedRequests", step.failedRequests());
      one.put("late", step.late());
      one.set("serviceTime", percentiles(step.serviceMillis()));
      one.set("responseTime", percentiles(step.responseMillis()));
      ArrayNode kinds = one.putArray("byOperation");
      for (RunDocument.StepOperation kind : step.operations()) {
        ObjectNode of = kinds.addObject();
        of.put("operation", kind.operation());
        of.put("done", kind.done());
        of.put("perSecond", rounded(step.perSecond(kind.done())));
        of.put("failedRequests", kind.failedRequests());
        of.set("serviceTime", percentiles(kind.serviceMillis()));
        of.set("responseTime", percentiles(kind.responseMillis()));
      }
    }
    ArrayNode pauses = node.putArray("pauses");
    for (RunDocument.Pause pause : load.pauses()) {
      ObjectNode one = pauses.addObject();
      one.put("afterSeconds", sinceIngest(pause.startNanos()));
      one.put("seconds", rounded((pause.endNanos() - pause.startNanos()) / NANOS_A_SECOND));
    }
    ArrayNode changes = node.putArray("changes");
    for (RunDocument.LoadChange change : load.changes()) {
      ObjectNode one = changes.addObject();
      one.put("afterSeconds", sinceIngest(change.atNanos()));
      one.put("workers", change.workers());
      one.put("ratePerSecond", change.ratePerSecond());
    }
    return node;
  }

  private ArrayNode outages() {
    ArrayNode array = NODES.arrayNode();
    for (RunDocument.Outage outage : run.outages()) {
      ObjectNode one = array.addObject();
      one.put("who", outage.who());
      one.put("afterSeconds", sinceIngest(outage.startNanos()));
      one.put("seconds", rounded((outage.endNanos() - outage.startNanos()) / NANOS_A_SECOND));
      one.put("reason", outage.reason());
    }
    return array;
  }

  private static ObjectNode percentiles(RunDocument.Percentiles millis) {
    if (millis == null) {
      return null;
    }
    ObjectNode node = NODES.objectNode();
    node.put("p50Millis", rounded(millis.p50()));
    node.put("p95Millis", rounded(millis.p95()));
    node.put("p99Millis", rounded(millis.p99()));
    node.put("maxMillis", rounded(millis.max()));
    return node;
  }

  /** Returns null if no phase has the ingest's start. */
  private BigDecimal sinceIngest(long nanos) {
    return run.phases().stream()
        .filter(phase -> phase.name().equals(RunDocument.Phase.INGEST))
        .findFirst()
        .map(phase -> rounded((nanos - phase.startNanos()) / NANOS_A_SECOND))
        .orElse(null);
  }

  private ArrayNode phases() {
    ArrayNode array = NODES.arrayNode();
    for (RunDocument.Phase phase : run.phases()) {
      ObjectNode node = array.addObject();
      node.put("name", phase.name());
      boolean ended = phase.endNanos() > phase.startNanos();
      node.put("seconds", ended ? rounded(LoadTime.of(phase, run) / NANOS_A_SECOND) : null);
    }
    return array;
  }

  private static ObjectNode map(Map<String, String> map) {
    ObjectNode node = NODES.objectNode();
    if (map != null) {
      map.forEach(node::put);
    }
    return node;
  }

  private static BigDecimal millis(Double nanos) {
    return nanos == null ? null : rounded(nanos / NANOS_A_MILLI, 6);
  }

  private static BigDecimal rounded(Double value) {
    return value == null ? null : rounded(value, 3);
  }

  /** Returns a plain decimal, without exponents and noise digits. */
  private static BigDecimal rounded(double value, int digits) {
    BigDecimal decimal = BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    return decimal.signum() == 0
        ? BigDecimal.ZERO
        : new BigDecimal(decimal.stripTrailingZeros().toPlainString());
  }
}
