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
import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.analysis.study.StudyResult;
import org.fedometer.driver.study.DatastreamStudyResult;
import org.fedometer.driver.study.ScaleStudyResult;
import org.fedometer.store.RunView;

/** JSON of studies' measurements: in the run's folder and on the terminal. */
public final class StudyJson {
  /** In the run's folder. */
  public static final String SCALE_PATH = ScaleStudy.PATH;

  /** In the run's folder. */
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

  /**
   * Returns one object: {@code timings} by size and operation, {@code passes} by operation and
   * limit.
   */
  public static byte[] of(ScaleStudyResult study) {
    List<Timed> timings =
        study.sizes().stream()
            .flatMap(
                size ->
                    size.timings().entrySet().stream()
                        .map(entry -> timed(size.objects(), entry.getKey(), entry.getValue())))
            .toList();
    Map<String, Map<String, Long>> passes = new LinkedHashMap<>();
    for (String operation : operations(study)) {
      Map<String, Long> ofOperation = new LinkedHashMap<>();
      for (double limit : ScaleStudyResult.LIMITS_MILLIS) {
        ofOperation.put(Math.round(limit) + " ms", study.exceededFrom(limit).get(operation));
      }
      passes.put(operation, ofOperation);
    }
    return json(new Document(timings, passes));
  }

  /**
   * Returns one object: {@code added}, {@code limit} or null, {@code additions} in temporal order.
   */
  public static byte[] of(DatastreamStudyResult study) {
    List<Added> additions =
        study.additions().stream()
            .map(
                row ->
                    new Added(
                        row.datastreams(),
                        row.timing().count(),
                        row.timing().meanMillis(),
                        row.timing().minMillis(),
                        row.timing().maxMillis()))
            .toList();
    return json(new Datastreams(study.added(), study.limit(), additions));
  }

  /**
   * Returns the number of datastreams that the study of a run has added.
   *
   * @return empty if the run's folder has no such study
   * @throws IOException if it cannot be read
   */
  public static OptionalLong datastreamsAdded(RunView run) throws IOException {
    Optional<StudyResult<DatastreamStudy>> found = DatastreamStudy.of(run);
    if (found.isEmpty()) {
      return OptionalLong.empty();
    }
    if (found.get().study() == null) {
      throw new IOException(found.get().unreadable());
    }
    return OptionalLong.of(found.get().study().added());
  }

  private static byte[] json(Object document) {
    try {
      return JSON.writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Records of numbers and names are JSON.", e);
    }
  }

  private static List<String> operations(ScaleStudyResult study) {
    return study.sizes().isEmpty()
        ? List.of()
        : List.copyOf(study.sizes().get(0).timings().keySet());
  }

  private static Timed timed(long objects, String operation, ScaleStudyResult.Timing timing) {
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
