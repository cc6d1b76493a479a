package org.fedometer.analysis.html;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.fedometer.analysis.report.ReportTables;
import org.fedometer.analysis.study.DatastreamStudy;
import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.analysis.study.StudyResult;
import org.fedometer.analysis.timeline.Column;
import org.fedometer.analysis.timeline.GrowthCurves.Curve;
import org.fedometer.store.RunDocument;

/**
 * Writes the data of a run's page: the members of its timeline, and {@code steps}, {@code curves},
 * {@code scale} and {@code datastreams}, null if missing. Times are milliseconds; numbers have four
 * significant digits, counts are exact. Pure.
 */
final class PageData {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final MathContext FOUR_DIGITS = new MathContext(4);

  private PageData() {}

  /**
   * @param timeline as a JSON object
   * @param load null for a run without a load
   */
  static String of(
      String timeline,
      RunDocument.Load load,
      List<Curve> curves,
      Optional<StudyResult<ScaleStudy>> scale,
      Optional<StudyResult<DatastreamStudy>> datastreams) {
    ObjectNode more = NODES.objectNode();
    more.set("steps", load == null || load.steps().isEmpty() ? null : steps(load));
    more.set("curves", curves.isEmpty() ? null : curves(curves));
    more.set("scale", scale.map(StudyResult::study).map(PageData::scale).orElse(null));
    more.set(
        "datastreams", datastreams.map(StudyResult::study).map(PageData::datastreams).orElse(null));
    return timeline.substring(0, timeline.lastIndexOf('}')) + "," + more.toString().substring(1);
  }

  private static ObjectNode steps(RunDocument.Load load) {
    boolean rates = ReportTables.hasRates(load);
    // A warm-up has no goal.
    List<RunDocument.LoadStep> steps =
        load.steps().stream()
            .filter(step -> !RunDocument.LoadStep.WARM_UP.equals(step.outcome()))
            .filter(step -> !rates || step.ratePerSecond() != null)
            .toList();
    ObjectNode node = NODES.objectNode();
    node.put("by", rates ? "rate" : "workers");
    node.set("highestCleanRate", number(load.highestCleanRate()));
    node.set("asked", numbers(steps, step -> rates ? step.ratePerSecond() : step.workers()));
    ArrayNode outcomes = node.putArray("outcome");
    steps.forEach(step -> outcomes.add(step.outcome()));
    node.set("reached", numbers(steps, RunDocument.LoadStep::donePerSecond));
    node.set("failed", counts(steps, RunDocument.LoadStep::failedRequests));
    node.set("late", counts(steps, RunDocument.LoadStep::late));
    node.set("p50", times(steps, rates, RunDocument.Percentiles::p50));
    node.set("p95", times(steps, rates, RunDocument.Percentiles::p95));
    node.set("p99", times(steps, rates, RunDocument.Percentiles::p99));
    node.set("max", times(steps, rates, RunDocument.Percentiles::max));
    return node;
  }

  private static ArrayNode times(
      List<RunDocument.LoadStep> steps,
      boolean response,
      ToDoubleFunction<RunDocument.Percentiles> percentile) {
    return numbers(
        steps,
        step -> {
          RunDocument.Percentiles times = response ? step.responseMillis() : step.serviceMillis();
          return times == null ? Double.NaN : percentile.applyAsDouble(times);
        });
  }

  private static ArrayNode curves(List<Curve> curves) {
    ArrayNode list = NODES.arrayNode();
    for (Curve curve : curves) {
      ObjectNode node = list.addObject();
      node.put("title", curve.title());
      node.put("unit", curve.unit());
      ArrayNode objects = node.putArray("n");
      for (int i = 0; i < curve.objects().size(); i++) {
        objects.add((long) curve.objects().at(i));
      }
      node.set("values", column(curve.values()));
      node.set("low", curve.low() == null ? null : column(curve.low()));
      node.set("high", curve.high() == null ? null : column(curve.high()));
    }
    return list;
  }

  private static ArrayNode column(Column column) {
    ArrayNode list = NODES.arrayNode();
    for (int i = 0; i < column.size(); i++) {
      list.add(number(column.at(i)));
    }
    return list;
  }

  private static ObjectNode scale(ScaleStudy study) {
    ObjectNode node = NODES.objectNode();
    ArrayNode limits = node.putArray("limitsMillis");
    ScaleStudy.LIMITS_MILLIS.forEach(limit -> limits.add(number(limit)));
    node.set("sizes", counts(study.sizes(), size -> size));
    ArrayNode operations = node.putArray("operations");
    for (ScaleStudy.Operation operation : study.operations()) {
      // Null if not timed at a size, or without success.
      List<ScaleStudy.Timing> timings =
          study.sizes().stream().map(size -> timing(operation, size)).toList();
      ObjectNode one = operations.addObject();
      one.put("name", operation.name());
      one.set("mean", numbers(timings, t -> t.count() > 0 ? t.meanMillis() : Double.NaN));
      one.set("min", numbers(timings, t -> t.count() > 0 ? t.minMillis() : Double.NaN));
      one.set("max", numbers(timings, t -> t.count() > 0 ? t.maxMillis() : Double.NaN));
      one.set("failed", counts(timings, ScaleStudy.Timing::failed));
    }
    return node;
  }

  private static ScaleStudy.Timing timing(ScaleStudy.Operation operation, long objects) {
    return operation.timings().stream()
        .filter(timing -> timing.objects() == objects)
        .findFirst()
        .orElse(new ScaleStudy.Timing(objects, 0, 0, 0, 0, 0));
  }

  private static ObjectNode datastreams(DatastreamStudy study) {
    List<DatastreamStudy.Additions> additions =
        study.additions().stream().filter(one -> one.count() > 0).toList();
    ObjectNode node = NODES.objectNode();
    ArrayNode limits = node.putArray("limitsMillis");
    ScaleStudy.LIMITS_MILLIS.forEach(limit -> limits.add(number(limit)));
    node.put("added", study.added());
    node.put("limited", study.limit() != null);
    node.set("datastreams", counts(additions, DatastreamStudy.Additions::datastreams));
    node.set("mean", numbers(additions, DatastreamStudy.Additions::meanMillis));
    node.set("min", numbers(additions, DatastreamStudy.Additions::minMillis));
    node.set("max", numbers(additions, DatastreamStudy.Additions::maxMillis));
    return node;
  }

  private static <T> ArrayNode counts(List<T> rows, ToLongFunction<T> of) {
    ArrayNode list = NODES.arrayNode();
    rows.forEach(row -> list.add(of.applyAsLong(row)));
    return list;
  }

  private static <T> ArrayNode numbers(List<T> rows, ToDoubleFunction<T> of) {
    ArrayNode list = NODES.arrayNode();
    rows.forEach(row -> list.add(number(of.applyAsDouble(row))));
    return list;
  }

  private static ValueNode number(Double value) {
    if (value == null || !Double.isFinite(value)) {
      return NODES.nullNode();
    }
    return NODES.numberNode(BigDecimal.valueOf(value).round(FOUR_DIGITS).doubleValue());
  }
}
