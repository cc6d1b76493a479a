package org.fedometer.analysis.compare;

import static org.fedometer.analysis.compare.EnvironmentDocument.members;
import static org.fedometer.analysis.compare.EnvironmentDocument.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunView;

/**
 * All facts besides profile settings that may affect a run's results, by name: workload, host,
 * tool, artifacts, processes, JVM, configuration. Values specific to a run (home, ports, name) are
 * replaced by placeholders such as {@code {home}}. Read from {@code run.json}, {@code
 * environment.json} and the configuration files of the run's folder. One thread.
 */
final class RunFacts {
  /** Newest supported version of {@code environment.json}. */
  private static final int SCHEMA = 1;

  /** Choices that determine some configuration files; others depend on all of these. */
  static final Set<String> FEDORA_DIMENSIONS =
      Set.of("triplestore", "database", "fedora", "lowlevel", "connector");

  static final Set<String> FEDORA_COMMAND_DIMENSIONS =
      Set.of("triplestore", "database", "jvm", "gc", "heap");

  static final Map<String, Set<String>> VERSION_DIMENSIONS =
      Map.of(
          "fedora", Set.of("fedora"),
          "tomcat", Set.of("fedora"),
          "java", Set.of("jvm"),
          "javaVendor", Set.of("jvm"),
          "triplestore", Set.of("triplestore", "fedora"),
          "database", Set.of("database", "fedora"),
          "databaseDriver", Set.of("database", "fedora"));

  /** A dataset adapts to the limits of a stack. */
  static final Map<String, Set<String>> DATASET_DIMENSIONS =
      Map.of(
          "literalLimitBytes", Set.of("triplestore", "database"),
          "pids", Set.of("fedora"));

  static final Map<String, Set<String>> ARTIFACT_DIMENSIONS =
      Map.of(
          "installer", Set.of("fedora"),
          "library", Set.of("jvm"),
          "database", Set.of("database"),
          "driver", Set.of("database"));

  /** Prefix of disks on which a profile has put files of the database. */
  private static final String DATABASE_DISK = "disk.database.";

  /** Facts of {@code run.json} that vary without a cause in the run. */
  private static final Set<String> MOMENTARY_FACTS =
      Set.of(
          "cpu.frequency.MHz",
          "memory.available",
          "memory.swapFree",
          "load.average",
          "disk.usableBytes");

  /** Fact of {@code run.json} that has no marks for home and ports. */
  private static final String COMMAND = "fedora.command";

  /** Artifacts that exist before a stack does. */
  private static final Set<String> TOOL_PARTS = Set.of("agent", "tool");

  private static final Pattern XML_COMMENT = Pattern.compile("(?s)<!--.*?-->");

  /** The known extent of a run, the smallest first. */
  enum Extent {
    /** No {@code environment.json}. */
    RUN_JSON,
    /** Written before Fedora existed, and not updated. */
    BEGINNING,
    /** Host, tool and stack. */
    COMPLETE
  }

  /**
   * @param area subject: {@code host}, {@code configuration} ...
   * @param name of the fact, unique within the area
   * @param values one, or several lines or arguments
   * @param dimensions choices of the profile that may change it; empty if none can
   */
  record Fact(String area, String name, List<Value> values, Set<String> dimensions) {

    static String key(String area, String name) {
      return area + " " + name;
    }
  }

  /**
   * A fact's value. Two runs agree if it is equal as written, or with placeholders: one run's port
   * may be an unrelated number in both.
   */
  record Value(String plain, String written) {

    boolean sameAs(Value other) {
      return plain.equals(other.plain) || written.equals(other.written);
    }
  }

  /**
   * A value that is unique to a run.
   *
   * @param port whether it is a number that may have other meanings
   */
  private record RunSpecific(Pattern value, String replacement, boolean port) {

    private static final Pattern NAMES_A_PORT = Pattern.compile("(?i)port");

    String replacedIn(String text) {
      Matcher found = value.matcher(text);
      if (!port || found.matches() || NAMES_A_PORT.matcher(text).find()) {
        return found.replaceAll(replacement);
      }
      // As in 127.0.0.1:8080; otherwise it is an ordinary number.
      return found.replaceAll(
          match ->
              match.start() > 0 && text.charAt(match.start() - 1) == ':'
                  ? replacement
                  : Matcher.quoteReplacement(match.group()));
    }
  }

  private final RunView run;
  private final RunDocument document;
  private final Set<String> files;

  /** A missing node if the run has none. */
  private final JsonNode environment;

  private final Map<String, Fact> facts = new LinkedHashMap<>();
  private final List<RunSpecific> runSpecific = new ArrayList<>();
  private final List<String> shortenedFiles = new ArrayList<>();

  private RunFacts(RunView run, RunDocument document, Set<String> files, JsonNode environment) {
    this.run = run;
    this.document = document;
    this.files = files;
    this.environment = environment;
  }

  /**
   * @throws IOException if {@code environment.json} is unreadable; the message is one sentence
   */
  static RunFacts of(RunView run, RunDocument document) throws IOException {
    Set<String> files = run.files().stream().map(RunView.RunFile::path).collect(Collectors.toSet());
    return new RunFacts(
        run,
        document,
        files,
        files.contains(EnvironmentDocument.PATH)
            ? EnvironmentDocument.read(run)
            : MissingNode.getInstance());
  }

  /** Returns whether the run has a recorded profile, as runs with their own Fedora do. */
  boolean hasProfile() {
    return document.profile() != null;
  }

  Extent extent() {
    if (environment.isMissingNode()) {
      return Extent.RUN_JSON;
    }
    return environment.path("processes").isArray() && environment.path("jvm").isObject()
        ? Extent.COMPLETE
        : Extent.BEGINNING;
  }

  /** Returns whether a later Fedometer wrote it, with possibly unknown content. */
  boolean hasNewerSchema() {
    return environment.path("schema").asInt() > SCHEMA;
  }

  List<String> missingFiles() {
    return texts(environment.path("configuration")).stream()
        .filter(path -> !files.contains(path))
        .toList();
  }

  /**
   * Returns the configuration files larger than {@link EnvironmentDocument#MAX_BYTES}, of which
   * only the beginning is used; known after {@link #upTo}.
   */
  List<String> shortenedFiles() {
    return List.copyOf(shortenedFiles);
  }

  /** Returns variable conditions at the run's start. */
  Map<String, String> moment() {
    if (!environment.isMissingNode()) {
      return members(environment.path("moment"));
    }
    Map<String, String> moment = new LinkedHashMap<>(orEmpty(document.environment()));
    moment.keySet().retainAll(MOMENTARY_FACTS);
    return moment;
  }

  /**
   * Returns facts by area and name, in display order.
   *
   * @param extent at most {@link #extent}; called once
   * @throws IOException if a configuration file is unreadable
   */
  Map<String, Fact> upTo(Extent extent) throws IOException {
    addWorkload();
    if (extent == Extent.RUN_JSON) {
      addHost(document.environment());
      addVersions(document.versions());
      return facts;
    }
    readRunSpecific(environment.path("runSpecific"));
    addHost(extent);
    members(environment.path("tool")).forEach((name, value) -> add("tool", name, value, Set.of()));
    addArtifacts(extent);
    if (extent == Extent.COMPLETE) {
      addStack();
    }
    return facts;
  }

  /**
   * Reads run-specific values, the longest first, since a home is inside a store. Matches whole
   * words only, so that no port is found in another.
   */
  private void readRunSpecific(JsonNode values) {
    List<Map.Entry<String, String>> found = new ArrayList<>(members(values).entrySet());
    found.removeIf(entry -> entry.getValue().isBlank());
    found.sort(Comparator.comparingInt(entry -> -entry.getValue().length()));
    for (Map.Entry<String, String> entry : found) {
      String value = Pattern.quote(entry.getValue());
      runSpecific.add(
          new RunSpecific(
              Pattern.compile("(?<![\\w.])" + value + "(?![\\w-])"),
              Matcher.quoteReplacement("{" + entry.getKey() + "}"),
              entry.getKey().endsWith("port")));
    }
  }

  private String withoutRunSpecific(String text) {
    String plain = text;
    for (RunSpecific value : runSpecific) {
      plain = value.replacedIn(plain);
    }
    return plain;
  }

  private void addWorkload() {
    RunDocument.Dataset dataset = document.dataset();
    if (dataset != null) {
      add("workload", "dataset", dataset.name(), Set.of());
      orEmpty(dataset.parameters())
          .forEach(
              (name, value) ->
                  add(
                      "workload",
                      "dataset." + name,
                      value,
                      DATASET_DIMENSIONS.getOrDefault(name, Set.of())));
    }
    if (document.workers() > 0) {
      add("workload", "workers", Integer.toString(document.workers()), Set.of());
    }
    if (document.ratePerSecond() != null) {
      add("workload", "rate", Double.toString(document.ratePerSecond()), Set.of());
    }
    orEmpty(document.workload()).forEach((name, value) -> add("workload", name, value, Set.of()));
    // The object count of a load that ended otherwise is a result.
    if (document.objects() != null
        && (document.load() == null || document.load().endedBy() == null)) {
      add("workload", "objects", Long.toString(document.objects().requested()), Set.of());
    }
  }

  private void addHost(Map<String, String> ofDocument) {
    orEmpty(ofDocument)
        .forEach(
            (name, value) -> {
              if (!MOMENTARY_FACTS.contains(name) && !name.equals(COMMAND)) {
                add("host", name, value, Set.of());
              }
            });
  }

  private void addHost(Extent extent) {
    members(environment.path("host"))
        .forEach(
            (name, value) -> {
              boolean databases = name.startsWith(DATABASE_DISK);
              if (!databases || extent == Extent.COMPLETE) {
                add("host", name, value, databases ? Set.of("database") : Set.of());
              }
            });
  }

  private void addStack() throws IOException {
    addVersions(members(environment.path("versions")));
    for (JsonNode process : environment.path("processes")) {
      addProcess(process);
    }
    JsonNode jvm = environment.path("jvm");
    addText("jvm", "home", jvm.path("home"), Set.of("jvm"));
    addText("jvm", "libjvmSha256", jvm.path("libjvmSha256"), Set.of("jvm"));
    addList("jvm", "flags", texts(jvm.path("flags")), Set.of("jvm", "gc", "heap"));
    for (String path : texts(environment.path("configuration"))) {
      if (files.contains(path)) {
        addConfiguration(path);
      }
    }
  }

  /**
   * Adds a process. No choice of a profile determines Fedora's environment; that of a database
   * depends on which one it is.
   */
  private void addProcess(JsonNode process) {
    String role = process.path("role").asText();
    boolean fedora = role.equals("Fedora");
    Set<String> dimensions = fedora ? FEDORA_COMMAND_DIMENSIONS : Set.of("database");
    Set<String> surroundings = fedora ? Set.of() : Set.of("database");
    addList("process", role + ".command", texts(process.path("command")), dimensions);
    addText("process", role + ".program", process.path("program"), dimensions);
    addText("process", role + ".programSha256", process.path("programSha256"), dimensions);
    List<String> variables = new ArrayList<>();
    members(process.path("environment"))
        .forEach((name, value) -> variables.add(name + "=" + value));
    addList("process", role + ".environment", variables, surroundings);
    addList("process", role + ".limits", texts(process.path("limits")), surroundings);
  }

  /** Adds artifacts by part; a stack has several libraries. */
  private void addArtifacts(Extent extent) {
    Map<String, List<String>> byPart = new LinkedHashMap<>();
    for (JsonNode artifact : environment.path("artifacts")) {
      String part = artifact.path("part").asText();
      if (extent == Extent.COMPLETE || TOOL_PARTS.contains(part)) {
        String name =
            artifact.path("coordinates").asText(artifact.path("file").asText())
                + ", SHA-256 "
                + artifact.path("sha256").asText();
        byPart.computeIfAbsent(part, p -> new ArrayList<>()).add(name);
      }
    }
    byPart.forEach(
        (part, names) ->
            addList("artifact", part, names, ARTIFACT_DIMENSIONS.getOrDefault(part, Set.of())));
  }

  private void addVersions(Map<String, String> versions) {
    orEmpty(versions)
        .forEach(
            (name, value) ->
                add("version", name, value, VERSION_DIMENSIONS.getOrDefault(name, Set.of())));
  }

  /** Adds a file without comments, which contain times and have no effect. */
  private void addConfiguration(String path) throws IOException {
    String text;
    try (InputStream in = run.open(path)) {
      text = new String(in.readNBytes(EnvironmentDocument.MAX_BYTES), StandardCharsets.UTF_8);
      if (in.read() >= 0) {
        shortenedFiles.add(path);
      }
    }
    boolean xml = text.stripLeading().startsWith("<");
    List<String> lines =
        (xml ? XML_COMMENT.matcher(text).replaceAll("") : text)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && (xml || !line.startsWith("#")))
            .toList();
    addList("configuration", path, lines, dimensionsOfConfiguration(path));
  }

  private static Set<String> dimensionsOfConfiguration(String path) {
    if (path.endsWith(".jfc")) {
      return Set.of("jvm");
    }
    return path.contains("postgresql")
            || path.contains("pg_")
            || path.endsWith(".cnf")
            || path.endsWith("database-settings.txt")
        ? Set.of("database")
        : FEDORA_DIMENSIONS;
  }

  private void addText(String area, String name, JsonNode value, Set<String> dimensions) {
    if (value.isTextual()) {
      add(area, name, value.asText(), dimensions);
    }
  }

  private void add(String area, String name, String value, Set<String> dimensions) {
    addList(area, name, List.of(String.valueOf(value)), dimensions);
  }

  private void addList(String area, String name, List<String> values, Set<String> dimensions) {
    List<Value> both =
        values.stream().map(value -> new Value(withoutRunSpecific(value), value)).toList();
    facts.put(Fact.key(area, name), new Fact(area, name, both, dimensions));
  }

  /** Returns an empty map for null; foreign documents may omit maps. */
  static Map<String, String> orEmpty(Map<String, String> mapOrNull) {
    return mapOrNull == null ? Map.of() : mapOrNull;
  }
}
