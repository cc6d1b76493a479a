package org.fedometer.experiments.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.fedometer.analysis.study.DatastreamStudy;
import org.fedometer.analysis.study.Found;
import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.driver.study.DatastreamFigures;
import org.fedometer.driver.study.ScaleFigures;
import org.fedometer.store.RunView;

/** What studies measured, as JSON: in the run's folder and on the terminal. */
public final class StudyJson {
  /** Below the run's folder. */
  public static final String SCALE_PATH = ScaleStudy.PATH;

  /** Below the run's folder. */
  public static final String DATASTREAMS_PATH = DatastreamStudy.PATH;

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private StudyJson() {}

  private record Timed(
      long objects,
      String operation,
      int count,
      int failed,
      double meanMillis,
      double minMillis,
      double maxMillis) {}

  private record Document(List<Timed> timings, Map<String, Map<String, Long>> passes) {}

  private record Added(
      long datastreams, int count, double meanMillis, double minMillis, double maxMillis) {}

  private record Datastreams(long added, String limit, List<Added> additions) {}

  /** One object: {@code timings} by size and operation, {@code passes} by operation and limit. */
  public static byte[] of(ScaleFigures figures) {
    List<Timed> timings =
        figures.sizes().stream()
            .flatMap(
                size ->
                    size.timings().entrySet().stream()
                        .map(entry -> timed(size.objects(), entry.getKey(), entry.getValue())))
            .toList();
    Map<String, Map<String, Long>> passes = new LinkedHashMap<>();
    for (String operation : operations(figures)) {
      Map<String, Long> ofOperation = new LinkedHashMap<>();
      for (double limit : ScaleFigures.LIMITS_MILLIS) {
        ofOperation.put(Math.round(limit) + " ms", figures.passes(limit).get(operation));
      }
      passes.put(operation, ofOperation);
    }
    return json(new Document(timings, passes));
  }

  /** One object: {@code added}, {@code limit} or null, {@code additions} in the order of time. */
  public static byte[] of(DatastreamFigures figures) {
    List<Added> additions =
        figures.additions().stream()
            .map(
                row ->
                    new Added(
                        row.datastreams(),
                        row.timing().count(),
                        row.timing().meanMillis(),
                        row.timing().minMillis(),
                        row.timing().maxMillis()))
            .toList();
    return json(new Datastreams(figures.added(), figures.limit(), additions));
  }

  /**
   * How many datastreams the study of a run has added.
   *
   * @return empty where the run's folder does not hold what it measured
   * @throws IOException if that cannot be read
   */
  public static OptionalLong datastreamsAdded(RunView run) throws IOException {
    Optional<Found<DatastreamStudy>> found = DatastreamStudy.of(run);
    if (found.isEmpty()) {
      return OptionalLong.empty();
    }
    if (found.get().figures() == null) {
      throw new IOException(found.get().unreadable());
    }
    return OptionalLong.of(found.get().figures().added());
  }

  private static byte[] json(Object document) {
    try {
      return JSON.writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Records of numbers and names are JSON.", e);
    }
  }

  private static List<String> operations(ScaleFigures figures) {
    return figures.sizes().isEmpty()
        ? List.of()
        : List.copyOf(figures.sizes().get(0).timings().keySet());
  }

  private static Timed timed(long objects, String operation, ScaleFigures.Timing timing) {
    return new Timed(
        objects,
        operation,
        timing.count(),
        timing.failed(),
        timing.meanMillis(),
        timing.minMillis(),
        timing.maxMillis());
  }
}
