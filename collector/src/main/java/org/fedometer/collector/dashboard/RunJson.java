package org.fedometer.collector.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunSummary;

/**
 * Writes documents of runs as JSON for browsers; bounded even for foreign documents. Any thread.
 */
final class RunJson {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MAX_ENTRIES = 500;
  private static final int MAX_VALUE_CHARACTERS = 4000;
  private static final long MAX_ENVIRONMENT_BYTES = 8L << 20;
  private static final List<String> VERSIONS_SHOWN =
      List.of(
          "fedometer",
          "fedometer.gitCommit",
          "fedora",
          "java",
          "database",
          "triplestore",
          "tomcat");

  private RunJson() {}

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  static byte[] bytes(ObjectNode json) throws IOException {
    return JSON.writeValueAsBytes(json);
  }

  static ObjectNode summary(RunEntry entry, boolean open, int connected) {
    ObjectNode json = JSON.createObjectNode();
    RunDocument document = entry.document();
    json.put("name", entry.run().name());
    json.put("id", document == null ? null : value(document.id()));
    json.put("state", value(RunSummary.stateOf(document)));
    json.put("open", open);
    json.put("connected", connected);
    json.put(
        "profile",
        document == null || document.profile() == null ? null : value(document.profile().name()));
    json.put(
        "dataset",
        document == null || document.dataset() == null ? null : value(document.dataset().name()));
    RunDocument.ObjectCounts objects = document == null ? null : document.objects();
    json.put("objects", objects == null ? null : (Long) objects.ingested());
    json.put("objectsRequested", objects == null ? null : (Long) objects.requested());
    json.put("started", document == null ? null : value(document.started()));
    json.put("ended", document == null ? null : value(document.ended()));
    json.put("durationMillis", document == null ? null : RunSummary.durationMillis(document));
    json.put("objectsPerSecond", document == null ? null : RunSummary.objectsPerSecond(document));
    json.set(
        "experiment",
        part(document == null ? null : document.experiment(), "name", "label", "repetition"));
    ObjectNode versions = json.putObject("versions");
    ObjectNode checksums = json.putObject("checksums");
    if (document != null) {
      Map<String, String> known = document.versions() == null ? Map.of() : document.versions();
      VERSIONS_SHOWN.stream()
          .filter(name -> known.get(name) != null)
          .forEach(name -> versions.put(name, value(known.get(name))));
      addChecksums(checksums, document);
    }
    return json;
  }

  private static void addChecksums(ObjectNode to, RunDocument document) {
    if (document.dataset() != null && document.dataset().parameters() != null) {
      document.dataset().parameters().entrySet().stream()
          .filter(entry -> entry.getKey().toLowerCase(Locale.ROOT).endsWith("sha256"))
          .limit(20)
          .forEach(entry -> to.put(value(entry.getKey()), value(entry.getValue())));
    }
    if (document.imported() != null) {
      to.put("importedSha256", value(document.imported().sha256()));
    }
  }

  static ObjectNode details(RunEntry entry, boolean open, int connected) {
    ObjectNode json = summary(entry, open, connected);
    RunDocument document = entry.document();
    if (document != null) {
      addOutcome(json, document);
      addRequestedLoad(json, document);
      addTimeline(json, document);
    }
    addArtifacts(json, entry.run().path().resolve("environment.json"));
    return json;
  }

  private static void addOutcome(ObjectNode json, RunDocument document) {
    json.set("failure", part(document.failure(), "step", "message", "log"));
    json.set("requests", part(document.requests(), "sent", "retried", "failed"));
    if (document.verification() == null) {
      json.putNull("verification");
    } else {
      texts(
          json.putObject("verification")
              .put("ok", document.verification().ok())
              .putArray("problems"),
          document.verification().problems());
    }
    json.set("triples", part(document.triples(), "before", "expected", "counted"));
    texts(json.putArray("notes"), document.notes());
  }

  private static void addRequestedLoad(ObjectNode json, RunDocument document) {
    json.put("workers", document.workers());
    json.put("ratePerSecond", document.ratePerSecond());
    map(json.putObject("workload"), document.workload());
    map(
        json.putObject("datasetParameters"),
        document.dataset() == null ? null : document.dataset().parameters());
    map(
        json.putObject("profileChoices"),
        document.profile() == null ? null : document.profile().choices());
    map(
        json.putObject("settings"),
        document.profile() == null ? null : document.profile().settings());
    map(json.putObject("allVersions"), document.versions());
    map(json.putObject("environment"), document.environment());
    json.set("imported", part(document.imported(), "format", "file", "sha256", "bytes"));
  }

  private static void addTimeline(ObjectNode json, RunDocument document) {
    List<RunDocument.Phase> phases = document.phases() == null ? List.of() : document.phases();
    long begin = phases.isEmpty() || phases.get(0) == null ? 0 : phases.get(0).startNanos();
    ArrayNode phaseList = json.putArray("phases");
    for (RunDocument.Phase phase : phases.subList(0, Math.min(phases.size(), MAX_ENTRIES))) {
      if (phase != null) {
        phaseList
            .addObject()
            .put("name", value(phase.name()))
            .put("startSeconds", (phase.startNanos() - begin) / 1e9)
            .put("seconds", (phase.endNanos() - phase.startNanos()) / 1e9);
      }
    }
    ArrayNode outages = json.putArray("outages");
    if (document.outages() != null) {
      document.outages().stream()
          .filter(outage -> outage != null)
          .limit(MAX_ENTRIES)
          .forEach(
              outage ->
                  outages
                      .addObject()
                      .put("who", value(outage.who()))
                      .put("startSeconds", (outage.startNanos() - begin) / 1e9)
                      .put("seconds", (outage.endNanos() - outage.startNanos()) / 1e9)
                      .put("reason", value(outage.reason())));
    }
    ArrayNode steps = json.putArray("steps");
    if (document.load() != null && document.load().steps() != null) {
      document.load().steps().stream()
          .filter(step -> step != null)
          .limit(MAX_ENTRIES)
          .forEach(step -> addStep(steps.addObject(), step));
    }
  }

  private static void addStep(ObjectNode json, RunDocument.LoadStep step) {
    RunDocument.Percentiles times = step.serviceMillis();
    json.put("outcome", value(step.outcome()))
        .put("workers", step.workers())
        .put("ratePerSecond", step.ratePerSecond())
        .put("seconds", step.seconds())
        .put("ingested", step.ingested())
        .put("operations", step.done())
        .put("failedRequests", step.failedRequests())
        .put("p50Millis", times == null ? null : (Double) times.p50())
        .put("p99Millis", times == null ? null : (Double) times.p99());
  }

  private static void addArtifacts(ObjectNode json, Path environment) {
    ArrayNode list = json.putArray("artifacts");
    int left = 0;
    for (JsonNode artifact : artifactsOf(environment)) {
      if (list.size() == MAX_ENTRIES) {
        left++;
        continue;
      }
      ObjectNode one = list.addObject();
      for (String field : List.of("part", "file", "coordinates", "sha256")) {
        one.put(field, value(artifact.path(field).textValue()));
      }
    }
    json.put("artifactsMore", left);
  }

  private static JsonNode artifactsOf(Path environment) {
    try {
      if (!Files.isSymbolicLink(environment)
          && Files.isRegularFile(environment)
          && Files.size(environment) <= MAX_ENVIRONMENT_BYTES) {
        return JSON.readTree(Files.readAllBytes(environment)).path("artifacts");
      }
    } catch (IOException e) {
      // Being written, or foreign: artifacts are unknown then.
    }
    return JSON.createArrayNode();
  }

  /** Copies the named fields of a part in its order; null for null. */
  private static ObjectNode part(Record part, String... names) {
    if (part == null) {
      return null;
    }
    ObjectNode json = JSON.<ObjectNode>valueToTree(part).retain(names);
    for (String name : names) {
      if (json.get(name).isTextual()) {
        json.put(name, value(json.get(name).textValue()));
      }
    }
    return json;
  }

  private static void texts(ArrayNode to, List<String> texts) {
    if (texts != null) {
      texts.stream().limit(MAX_ENTRIES).forEach(text -> to.add(value(text)));
    }
  }

  private static void map(ObjectNode to, Map<String, String> entries) {
    if (entries != null) {
      entries.entrySet().stream()
          .limit(MAX_ENTRIES)
          .forEach(entry -> to.put(value(entry.getKey()), value(entry.getValue())));
    }
  }

  private static String value(String text) {
    return text == null ? null : Texts.lines(text, MAX_VALUE_CHARACTERS);
  }
}
