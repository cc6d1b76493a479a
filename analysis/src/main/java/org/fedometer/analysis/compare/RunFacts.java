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
 * All that a run's figures may depend on besides the settings of its profile, by name: workload,
 * host, tool, artifacts, processes, JVM, configuration. What another run cannot have alike (its
 * home, its ports, its name) is replaced by what it is, such as {@code {home}}. Read from {@code
 * run.json}, {@code environment.json} and the configuration files of the run's folder. One thread.
 */
final class RunFacts {
  /** The newest shape of {@code environment.json} that is known here. */
  private static final int SCHEMA = 1;

  /** Which choices of a profile say what is in a configuration file; of others, all of these. */
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

  /** A dataset keeps to what a stack can take. */
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

  /** Of the disks where a profile has put files of the database. */
  private static final String DATABASE_DISK = "disk.database.";

  /** What {@code run.json} has among the facts of the host and what changes by itself. */
  private static final Set<String> MOMENTARY_FACTS =
      Set.of(
          "cpu.frequency.MHz",
          "memory.available",
          "memory.swapFree",
          "load.average",
          "disk.usableBytes");

  /** In {@code run.json} nothing tells its home and its ports apart from the rest of it. */
  private static final String COMMAND = "fedora.command";

  /** Parts that are there before a stack is. */
  private static final Set<String> TOOL_PARTS = Set.of("agent", "tool");

  private static final Pattern XML_COMMENT = Pattern.compile("(?s)<!--.*?-->");

  /** How much is known of a run, the least first. */
  enum Extent {
    /** There is no {@code environment.json}. */
    RUN_JSON,
    /** It was written before there was a Fedora, and never again. */
    BEGINNING,
    /** Of host, tool and stack. */
    COMPLETE
  }

  /**
   * @param area what it is about: {@code host}, {@code configuration} ...
   * @param name of the fact, unique within the area
   * @param values one, or the lines or arguments that it has
   * @param dimensions choices of the profile that may change it; none if no choice can
   */
  record Fact(String area, String name, List<Value> values, Set<String> dimensions) {

    static String key(String area, String name) {
      return area + " " + name;
    }
  }

  /**
   * One of a fact's values. It is the same in both runs if it is so as written, or without what
   * names the runs: a port of the one may be a number of another meaning in both.
   */
  record Value(String plain, String written) {

    boolean sameAs(Value other) {
      return plain.equals(other.plain) || written.equals(other.written);
    }
  }

  /**
   * A value that no other run can have alike.
   *
   * @param port whether it is a number that may stand for other things as well
   */
  private record RunSpecific(Pattern value, String replacement, boolean port) {

    private static final Pattern NAMES_A_PORT = Pattern.compile("(?i)port");

    String replacedIn(String text) {
      Matcher found = value.matcher(text);
      if (!port || found.matches() || NAMES_A_PORT.matcher(text).find()) {
        return found.replaceAll(replacement);
      }
      // As in 127.0.0.1:8080; else it is a number like any other.
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

  /** Missing where the run has none. */
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
   * @throws IOException one sentence: {@code environment.json} cannot be read
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

  /** Whether the run has a profile on record, as those with a Fedora of their own do. */
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

  /** Whether a later Fedometer has written it, and there may be more in it than is known here. */
  boolean hasNewerSchema() {
    return environment.path("schema").asInt() > SCHEMA;
  }

  List<String> missingFiles() {
    return texts(environment.path("configuration")).stream()
        .filter(path -> !files.contains(path))
        .toList();
  }

  /**
   * Configuration files of which only the beginning is among the facts, since they have more than
   * {@link EnvironmentDocument#MAX_BYTES}; known after {@link #upTo}.
   */
  List<String> shortenedFiles() {
    return List.copyOf(shortenedFiles);
  }

  /** What changes by itself, as it was when the run began. */
  Map<String, String> moment() {
    if (!environment.isMissingNode()) {
      return members(environment.path("moment"));
    }
    Map<String, String> moment = new LinkedHashMap<>(orEmpty(document.environment()));
    moment.keySet().retainAll(MOMENTARY_FACTS);
    return moment;
  }

  /**
   * Facts by area and name, in the order in which they are told.
   *
   * @param extent no more than {@link #extent}; called once
   * @throws IOException a configuration file cannot be read
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
   * The longest first: a home lies in a store. Only as whole words, so that no port is in another.
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
    // How many objects a load had that ended by something else is a result.
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

  /** No choice of a profile says in what surroundings Fedora runs, but which database there is. */
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

  /** By what they are; a stack has several libraries. */
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

  /** Comments hold times, and say nothing to a program. */
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

  /** Documents of other tools may leave out a map. */
  static Map<String, String> orEmpty(Map<String, String> mapOrNull) {
    return mapOrNull == null ? Map.of() : mapOrNull;
  }
}
