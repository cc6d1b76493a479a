package org.fedometer.experiments.series;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** JSON of an experiment's forecast and outcome. Stateless. */
public final class ExperimentJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ExperimentJson() {}

  public static String of(ExperimentForecast forecast) {
    ObjectNode json = JSON.createObjectNode();
    json.put("name", forecast.name());
    rows(json.putArray("runs"), forecast.rows());
    json.put("minSeconds", forecast.minSeconds());
    json.put("maxSeconds", forecast.maxSeconds());
    json.put("basis", forecast.basis() == null ? null : forecast.basis().text());
    json.put("neededBytes", forecast.neededBytes());
    json.put("usableBytes", forecast.usableBytes());
    return text(json);
  }

  public static String of(ExperimentOutcome outcome) {
    ObjectNode json = JSON.createObjectNode();
    json.put("name", outcome.name());
    json.put("id", outcome.id());
    json.put("baseline", outcome.baseline());
    rows(json.putArray("runs"), outcome.rows());
    json.put("missing", outcome.missing());
    json.put("interrupted", outcome.interrupted());
    json.put("ending", outcome.endReason());
    return text(json);
  }

  private static void rows(ArrayNode runs, List<ExperimentRow> rows) {
    for (ExperimentRow row : rows) {
      ObjectNode run = runs.addObject();
      run.put("place", row.planned().place());
      run.put("block", row.planned().block());
      run.put("repetition", row.planned().repetition());
      run.put("label", row.planned().label());
      run.put("profile", row.profile());
      run.put("run", row.run());
      run.put("state", row.state());
      run.put("objectsPerSecond", row.objectsPerSecond());
      run.put("seconds", row.seconds());
    }
  }

  private static String text(ObjectNode json) {
    try {
      return JSON.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
