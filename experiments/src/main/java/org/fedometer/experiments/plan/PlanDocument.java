package org.fedometer.experiments.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.profiles.stack.Stack;

/**
 * The plan of an experiment as a document in each of its runs: the file as used, its meaning, and
 * the order. Secrets are masked by their form. Immutable.
 */
public final class PlanDocument {
  private static final int SCHEMA = 1;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Properties that must be equal for all runs of an experiment. */
  private static final List<String> DECIDING =
      List.of(
          "profiles",
          "dataset",
          "workload",
          "workers",
          "ratePerSecond",
          "objects",
          "warmObjects",
          "order",
          "seed",
          "pageCache");

  private final ObjectNode document;

  private PlanDocument(ObjectNode document) {
    this.document = document;
  }

  /**
   * @param id ULID of the experiment
   */
  public static PlanDocument of(ExperimentPlan plan, String id) {
    ObjectNode json = JSON.createObjectNode();
    json.put("schema", SCHEMA);
    json.put("id", id);
    json.put("name", plan.name());
    json.put("description", plan.description());
    ArrayNode profiles = json.putArray("profiles");
    for (PlannedProfile each : plan.profiles()) {
      ObjectNode profile = profiles.addObject();
      profile.put("label", each.label());
      profile.put("profile", each.profile().name());
      ArrayNode changes = profile.putArray("changes");
      each.profile().changes().forEach(change -> changes.add(masked(change, change)));
    }
    json.put("baseline", plan.baseline());
    json.put("dataset", plan.dataset());
    ObjectNode workload = json.putObject("workload");
    plan.content().facts().forEach(workload::put);
    json.put("workers", plan.workers());
    json.put("ratePerSecond", plan.ratePerSecond());
    json.put("objects", plan.objects());
    json.put("warmObjects", plan.warmObjects());
    json.put("repetitions", plan.repetitions());
    json.put("order", plan.order().id());
    json.put("seed", plan.seed());
    json.put("pageCache", plan.pageCache() == null ? null : plan.pageCache().id());
    ObjectNode stop = json.putObject("stop");
    if (plan.stop() instanceof StopRule.Until until) {
      stop.put("throughput", until.throughput());
      stop.put("maxRepetitions", until.maxRepetitions());
    }
    ArrayNode runs = json.putArray("runs");
    for (PlannedRun run : RunOrder.of(plan)) {
      ObjectNode each = runs.addObject();
      each.put("place", run.place());
      each.put("block", run.block());
      each.put("repetition", run.repetition());
      each.put("label", run.label());
    }
    json.put("file", maskedFile(plan));
    return new PlanDocument(json);
  }

  public byte[] bytes() {
    try {
      return JSON.writeValueAsBytes(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the first difference from the plan of an earlier run, to follow a colon; empty if their
   * runs can be combined. The number of repetitions may differ, unless the order is random over
   * all.
   *
   * @param earlier the document of an earlier run
   * @throws IOException if it cannot be read
   */
  public Optional<String> difference(byte[] earlier) throws IOException {
    JsonNode before = JSON.readTree(earlier);
    // Through text and back, since numbers of different width are not equal.
    JsonNode now = JSON.readTree(bytes());
    List<String> deciding = new ArrayList<>(DECIDING);
    if (now.path("order").asText().equals(Order.RANDOMISED.id())) {
      deciding.add("repetitions");
    }
    return deciding.stream()
        .filter(key -> !before.path(key).equals(now.path(key)))
        .findFirst()
        .map(key -> key + " was " + before.path(key) + " and is " + now.path(key));
  }

  /**
   * Masks each word separately: a line that begins with a secret's name would be masked completely.
   */
  private static String masked(String change, String text) {
    String masked = text;
    for (String word : change.substring(change.indexOf('=') + 1).split("\\s+")) {
      String safe = Stack.maskedByForm(word);
      if (!safe.equals(word)) {
        masked = masked.replace(word, safe);
      }
    }
    return masked;
  }

  private static String maskedFile(ExperimentPlan plan) {
    String text = plan.file();
    for (PlannedProfile each : plan.profiles()) {
      for (String change : each.profile().changes()) {
        text = masked(change, text);
      }
    }
    return text;
  }
}
