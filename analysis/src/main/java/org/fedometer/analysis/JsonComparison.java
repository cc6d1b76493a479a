package org.fedometer.analysis;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.fedometer.analysis.EnvironmentDifference.Difference;
import org.fedometer.analysis.RunComparison.Figure;

/** Writes a {@link RunComparison} for programs: {@code compare --json} prints it. */
public final class JsonComparison {

  /** Version of the shape. */
  public static final int SCHEMA = 1;

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonComparison() {}

  /** The comparison as one JSON object, indented. */
  public static String of(RunComparison comparison) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("schema", SCHEMA);
    root.set("first", run(comparison.first()));
    root.set("second", run(comparison.second()));
    comparison.remarks().forEach(root.putArray("remarks")::add);
    EnvironmentDifference difference = comparison.difference();
    root.set("profile", differences(difference.profile()));
    root.set("notOfProfile", differences(difference.other()));
    root.set("mayFollowFromProfile", differences(difference.following()));
    ArrayNode atStart = root.putArray("atStart");
    for (RunComparison.AtStart value : comparison.atStart()) {
      ObjectNode node = atStart.addObject();
      node.put("name", value.name());
      node.put("first", value.first());
      node.put("second", value.second());
    }
    ArrayNode figures = root.putArray("figures");
    for (Figure figure : comparison.figures()) {
      ObjectNode node = figures.addObject();
      node.put("name", figure.name());
      node.put("first", figure.first());
      node.put("second", figure.second());
      node.put("ratio", figure.ratio());
    }
    try {
      return MAPPER.writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write the comparison as JSON", e);
    }
  }

  private static ObjectNode run(RunReport report) {
    ObjectNode node = MAPPER.createObjectNode();
    node.put("run", report.run().name());
    node.put("id", report.run().id());
    node.put("state", report.run().state());
    node.put("endedWell", report.endedWell());
    node.put("profile", report.run().profile() == null ? null : report.run().profile().name());
    return node;
  }

  private static ArrayNode differences(List<Difference> differences) {
    ArrayNode array = MAPPER.createArrayNode();
    for (Difference difference : differences) {
      ObjectNode node = array.addObject();
      node.put("area", difference.area());
      node.put("name", difference.name());
      difference.first().forEach(node.putArray("first")::add);
      difference.second().forEach(node.putArray("second")::add);
    }
    return array;
  }
}
