package org.fedometer.analysis.compare;

import static org.fedometer.analysis.JsonNumbers.significant;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.fedometer.analysis.JsonNumbers;
import org.fedometer.analysis.compare.MeasuredRun.LabelledChange;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.Scope;
import org.fedometer.analysis.statistics.SteadyState;

/** Writes a {@link ProfileComparison} as JSON, documented in docs/experiments-and-compare.md. */
public final class JsonProfileComparison {

  public static final int SCHEMA = 1;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final double NANOS_A_MILLI = 1e6;
  private static final double NANOS_A_MICRO = 1e3;
  private static final double NANOS_A_SECOND = 1e9;

  private final ProfileComparison comparison;

  private JsonProfileComparison(ProfileComparison comparison) {
    this.comparison = comparison;
  }

  /**
   * Returns the comparison as one indented JSON object.
   *
   * @param gates results; empty without gates
   */
  public static String of(ProfileComparison comparison, List<Gate.Result> gates) {
    return new JsonProfileComparison(comparison).root(gates).toPrettyString();
  }

  private ObjectNode root(List<Gate.Result> gates) {
    ObjectNode root = NODES.objectNode();
    root.put("schema", SCHEMA);
    root.put("experiment", comparison.experiment());
    root.put("baseline", comparison.baseline().label());
    root.put("threshold", comparison.choices().threshold());
    root.put("confidence", comparison.choices().confidence());
    root.put("repetitions", comparison.choices().resampling().repetitions());
    root.put("seed", comparison.choices().resampling().seed());
    Long warmUp = comparison.choices().warmUpObjects();
    if (warmUp != null && warmUp == Choices.FOUND_WARM_UP) {
      root.put("warmUp", "auto");
    } else {
      root.put("warmUp", warmUp);
    }
    root.putPOJO("atEqualSize", comparison.sizes());
    root.putPOJO("remarks", comparison.remarks());
    ArrayNode contenders = root.putArray("comparisons");
    comparison.contenders().forEach(contender -> contenders.add(contender(contender)));
    ArrayNode runs = root.putArray("runs");
    for (MeasuredProfile profile : comparison.profiles()) {
      profile.runs().forEach(run -> runs.add(run(profile, run)));
    }
    ArrayNode recommendations = root.putArray("recommendations");
    comparison.recommendations().forEach(each -> recommendations.add(recommendation(each)));
    root.put("hardware", Hardware.of(comparison).orElse(null));
    ArrayNode gateArray = root.putArray("gates");
    for (Gate.Result result : gates) {
      ObjectNode node = gateArray.addObject();
      node.put("gate", result.gate().text());
      node.put("contender", result.contender());
      node.put("failed", result.failed());
      node.put("found", result.found());
    }
    return root;
  }

  private ObjectNode contender(Contender contender) {
    ObjectNode node = NODES.objectNode();
    node.put("baseline", contender.baseline().label());
    node.put("contender", contender.profile().label());
    node.put("sentence", ComparisonSummary.withLabels(contender, comparison.choices()));
    node.put("paired", contender.sides().paired());
    names(node.putArray("baselineRuns"), contender.sides().baseline());
    names(node.putArray("contenderRuns"), contender.sides().contender());
    for (Metric metric : Metric.values()) {
      node.set(
          metric.jsonName(),
          estimate(contender, contender.service(metric), run -> run.part().service().statistics()));
    }
    if (contender.response().isEmpty()) {
      node.putNull("response");
    } else {
      ObjectNode response = node.putObject("response");
      for (Metric metric : Metric.values()) {
        if (metric != Metric.THROUGHPUT) {
          response.set(
              metric.jsonName(),
              estimate(
                  contender,
                  contender.response(metric),
                  run -> run.part().response().statistics()));
        }
      }
    }
    ArrayNode stages = node.putArray("stages");
    contender.stages().forEach(stage -> stages.add(stage(stage)));
    node.set("differences", differences(contender.difference()));
    return node;
  }

  private static void names(ArrayNode array, List<MeasuredRun> runs) {
    runs.forEach(run -> array.add(run.name()));
  }

  private static ObjectNode estimate(
      Contender contender,
      Optional<RatioEstimate> found,
      Function<MeasuredRun, RunStatistics> statistics) {
    if (found.isEmpty()) {
      return null;
    }
    RatioEstimate estimate = found.get();
    Metric metric = estimate.metric();
    Function<MeasuredRun, Double> value = run -> inUnit(metric, statistics.apply(run));
    ObjectNode node = NODES.objectNode();
    node.put("unit", metric == Metric.THROUGHPUT ? "1/s" : "ms");
    node.put("baseline", significant(Sides.typical(contender.sides().baseline(), value)));
    node.put("contender", significant(Sides.typical(contender.sides().contender(), value)));
    node.put("ratio", significant(estimate.ratio()));
    node.put("low", significant(estimate.low()));
    node.put("high", significant(estimate.high()));
    node.put("verdict", estimate.verdict().jsonName());
    node.put("scope", estimate.scope().jsonName());
    node.put("coversRunToRunVariation", estimate.scope() == Scope.BETWEEN_RUNS);
    node.put("confidence", estimate.confidence());
    node.put("pValue", significant(estimate.pValue()));
    node.put("adjustedPValue", significant(estimate.adjustedPValue()));
    return node;
  }

  private static double inUnit(Metric metric, RunStatistics statistics) {
    double value = statistics.value(metric);
    return metric == Metric.THROUGHPUT ? value : value / NANOS_A_MILLI;
  }

  private static ObjectNode stage(StageDifference stage) {
    ObjectNode node = NODES.objectNode();
    node.put("stage", stage.stage());
    node.put("outsideRequests", stage.outside());
    node.put("baselineMicros", significant(stage.baselineNanos() / NANOS_A_MICRO));
    node.put("contenderMicros", significant(stage.contenderNanos() / NANOS_A_MICRO));
    node.put("differenceMicros", significant(stage.differenceNanos() / NANOS_A_MICRO));
    node.put(
        "low", stage.bounds() == null ? null : significant(stage.bounds().low() / NANOS_A_MICRO));
    node.put(
        "high", stage.bounds() == null ? null : significant(stage.bounds().high() / NANOS_A_MICRO));
    node.put("scope", stage.scope().jsonName());
    node.put("baselineShare", significant(stage.baselineShare()));
    node.put("contenderShare", significant(stage.contenderShare()));
    return node;
  }

  private static ObjectNode differences(RunDifference difference) {
    ObjectNode node = NODES.objectNode();
    node.putPOJO("profile", difference.difference().profile());
    node.putPOJO("notOfProfile", difference.difference().other());
    node.putPOJO("mayFollowFromProfile", difference.difference().following());
    node.putPOJO("atStart", difference.atStart());
    return node;
  }

  private static ObjectNode run(MeasuredProfile profile, MeasuredRun run) {
    ObjectNode node = NODES.objectNode();
    node.put("run", run.name());
    node.put("id", run.document().id());
    node.put("profile", profile.label());
    node.put("state", run.document().state());
    node.put("model", run.ofUnknownLoad() ? null : run.openModel() ? "open" : "closed");
    node.put("objects", run.objects());
    node.put("objectsPerSecondWithDrain", significant(run.objectsPerSecondWithDrain()));
    MeasuredRun.Part part = run.part();
    node.put("measuredFrom", part == null ? null : (Long) part.from());
    node.put("measuredObjects", part == null ? null : (Long) part.objects());
    node.put(
        "measuredSeconds", part == null ? null : significant(part.loadedNanos() / NANOS_A_SECOND));
    node.put(
        "resolutionMillis",
        part == null
            ? null
            : significant(
                part.service().statistics().exactness().resolutionNanos() / NANOS_A_MILLI));
    node.set("service", part == null ? null : statistics(part.service()));
    node.set(
        "response", part == null || part.response() == null ? null : statistics(part.response()));
    node.set("steadyState", run.steadyState() == null ? null : steadyState(run));
    ArrayNode stages = node.putArray("stages");
    for (StageTime stage : run.stages()) {
      ObjectNode one = stages.addObject();
      one.put("stage", stage.stage());
      one.put("outsideRequests", stage.outside());
      one.put("selfMicros", significant(stage.selfNanos() / NANOS_A_MICRO));
      one.put("share", significant(stage.share()));
    }
    node.set("resources", run.resources() == null ? null : resources(run.resources()));
    if (run.limit() == null) {
      node.putNull("limit");
    } else {
      ObjectNode limit = node.putObject("limit");
      limit.put("resource", run.limit().kind().jsonName());
      limit.put("reason", run.limit().reason());
    }
    node.putPOJO("remarks", run.remarks());
    return node;
  }

  private static ObjectNode statistics(MeasuredRun.Statistics values) {
    RunStatistics statistics = values.statistics();
    ObjectNode node = NODES.objectNode();
    node.put("objectsPerSecond", significant(statistics.throughputPerSecond()));
    node.put("meanMillis", significant(statistics.meanNanos() / NANOS_A_MILLI));
    node.put("p50Millis", significant(statistics.p50Nanos() / NANOS_A_MILLI));
    node.put("p95Millis", significant(statistics.p95Nanos() / NANOS_A_MILLI));
    node.put("p99Millis", significant(statistics.p99Nanos() / NANOS_A_MILLI));
    return node;
  }

  private static ObjectNode steadyState(MeasuredRun run) {
    SteadyState steadyState = run.steadyState();
    ObjectNode node = NODES.objectNode();
    node.put("state", steadyState.state().jsonName());
    node.put("steadyFrom", steadyState.steadyFrom());
    ArrayNode changes = node.putArray("changes");
    for (LabelledChange change : run.changes()) {
      ObjectNode one = changes.addObject();
      one.put("object", change.change().request());
      one.put("afterSeconds", significant(change.afterNanos() / NANOS_A_SECOND));
      one.put("beforeMillis", significant(change.change().beforeNanos() / NANOS_A_MILLI));
      one.put("afterMillis", significant(change.change().afterNanos() / NANOS_A_MILLI));
      one.put("pValue", significant(change.change().pValue()));
      one.putPOJO("causes", change.causes());
    }
    node.set("slope", JsonNumbers.slope(steadyState.slope()));
    return node;
  }

  private static ObjectNode resources(ResourceUse use) {
    ObjectNode node = NODES.objectNode();
    node.put("processors", significant(use.processors()));
    node.put("processorsBusy", significant(use.processorsBusy()));
    node.put("machineBusy", significant(use.machineBusy()));
    node.put("fedoraCpuMillisPerObject", millis(use.fedoraCpuNanos()));
    node.put("databaseCpuMillisPerObject", millis(use.databaseCpuNanos()));
    node.put("driverCpuMillisPerObject", millis(use.driverCpuNanos()));
    node.put("databaseCpuShare", significant(use.databaseCpuShare()));
    node.put("gcShare", significant(use.gcShare()));
    node.put("gcPauses", use.gcPauses());
    node.put("diskWrittenBytesPerObject", significant(use.diskWrittenBytes()));
    node.put("memoryBytes", significant(use.memoryBytes()));
    ArrayNode waits = node.putArray("waits");
    for (ResourceUse.Wait wait : use.waits()) {
      ObjectNode one = waits.addObject();
      one.put("stage", wait.stage());
      one.put("microsPerObject", significant(wait.nanos() / NANOS_A_MICRO));
      one.put("share", significant(wait.share()));
    }
    return node;
  }

  private static ObjectNode recommendation(Recommendation recommendation) {
    ObjectNode node = NODES.objectNode();
    node.put("goal", recommendation.goal().jsonName());
    node.put("best", recommendation.best());
    node.put("value", significant(recommendation.value()));
    node.put("unit", recommendation.goal().unit());
    node.put("sentence", ComparisonSummary.of(recommendation));
    node.put("intervals", recommendation.intervals());
    ArrayNode ties = node.putArray("ties");
    for (Recommendation.Tie tie : recommendation.ties()) {
      ObjectNode one = ties.addObject();
      one.put("profile", tie.profile());
      one.put("verdict", tie.verdict().jsonName());
    }
    ArrayNode tradeOffs = node.putArray("tradeOffs");
    for (Recommendation.TradeOff tradeOff : recommendation.tradeOffs()) {
      ObjectNode one = tradeOffs.addObject();
      one.put("goal", tradeOff.goal().jsonName());
      one.put("best", tradeOff.best());
      one.put("ratio", significant(tradeOff.ratio()));
    }
    return node;
  }

  private static BigDecimal millis(Double nanos) {
    return nanos == null ? null : significant(nanos / NANOS_A_MILLI);
  }
}
