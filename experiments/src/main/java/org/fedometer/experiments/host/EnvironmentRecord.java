package org.fedometer.experiments.host;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.fedometer.attach.JvmFlags;
import org.fedometer.experiments.job.Reason;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackProcess;
import org.fedometer.profiles.stack.StackState;
import org.fedometer.profiles.stack.home.FileChecksums;
import org.fedometer.profiles.stack.home.StackArtifact;

/**
 * Creates {@code environment.json}: everything that may affect a run's measurements, for a
 * comparison of runs. docs/store-and-query.md describes its format. Confined to the job's thread.
 */
public final class EnvironmentRecord {
  /** Path in the run folder. */
  public static final String PATH = "environment.json";

  private static final int SCHEMA = 1;
  private static final Duration FLAGS_TIMEOUT = Duration.ofSeconds(5);

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final ObjectNode root = JSON.createObjectNode();

  /** Values that are unique to this run, by name. */
  private final Map<String, String> runSpecific = new LinkedHashMap<>();

  /**
   * @param host constant facts
   * @param moment facts that change by themselves
   */
  public EnvironmentRecord(Map<String, String> host, Map<String, String> moment) {
    BuildInfo build = BuildInfo.current();
    root.put("schema", SCHEMA);
    put("host", host);
    put("moment", moment);
    ObjectNode tool = root.putObject("tool");
    tool.put("version", build.version());
    tool.put("gitCommit", build.gitCommit());
  }

  public void runIdentity(String id, String name) {
    runSpecific("run.id", id);
    // As in the agent's options: the name alone may occur in any fact, such as a host's name.
    runSpecific("run.name", "run-name=" + name);
  }

  /** Adds a value that identifies this run or its location, not its measurements. */
  public void runSpecific(String name, String value) {
    if (value != null && !value.isBlank()) {
      runSpecific.put(name, value);
    }
  }

  /** Adds a setting of the tool that may affect the measurements. */
  public void tool(String name, String value) {
    root.withObject("/tool").put(name, value);
  }

  /** Adds a file of the tool that is part of what is measured. */
  public void toolFile(String part, Path file) throws IOException {
    addToolFile(part, file, FileChecksums.ofUser().sha256(file));
  }

  /** Adds the jars of this tool, since the commit does not show uncommitted changes. */
  public void toolJars(String classPath) {
    Stream.of(classPath.split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .map(Path::of)
        .sorted(Comparator.comparing(Path::getFileName))
        .forEach(jar -> sha256(jar).ifPresent(sha256 -> addToolFile("tool", jar, sha256)));
  }

  private void addToolFile(String part, Path file, String sha256) {
    ObjectNode artifact = artifacts().addObject();
    artifact.put("part", part);
    artifact.put("file", file.getFileName().toString());
    artifact.put("sha256", sha256);
  }

  /** Returns empty for an unreadable file, which may run all the same. */
  private static Optional<String> sha256(Path file) {
    try {
      return Optional.of(FileChecksums.ofUser().sha256(file));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Adds a running stack; the shipped configuration is given by paths in the run folder. */
  public void describe(Stack stack, List<String> shippedConfiguration)
      throws IOException, InterruptedException {
    StackState state = stack.state();
    runSpecific("home", stack.home().toString());
    runSpecific("http.port", Integer.toString(stack.url().getPort()));
    if (state.databasePort() != 0) {
      runSpecific("database.port", Integer.toString(state.databasePort()));
    }
    put("versions", state.versions());
    for (StackArtifact artifact : state.artifacts()) {
      ObjectNode node = artifacts().addObject();
      node.put("part", artifact.part());
      node.put("coordinates", artifact.coordinates());
      node.put("file", artifact.file());
      node.put("sha256", artifact.sha256());
    }
    ArrayNode processes = root.putArray("processes");
    for (StackProcess process : state.processes()) {
      ObjectNode node = processes.addObject();
      node.put("role", process.role());
      process.command().forEach(node.putArray("command")::add);
      describeProgram(process, node);
      ObjectNode environment = node.putObject("environment");
      for (Map.Entry<String, String> variable :
          ProcessSurroundings.environment(process.pid()).entrySet()) {
        environment.put(variable.getKey(), state.maskedText(variable.getValue()));
      }
      ProcessSurroundings.limits(process.pid()).forEach(node.putArray("limits")::add);
    }
    describeJava(stack);
    state
        .foldersElsewhere()
        .forEach(
            (content, folder) -> {
              runSpecific("folder." + content, folder.toString());
              String name = "disk.database." + content + ".";
              Disk.of(folder)
                  .forEach((fact, value) -> root.withObject("/host").put(name + fact, value));
            });
    shippedConfiguration.forEach(root.putArray("configuration")::add);
  }

  private static void describeProgram(StackProcess process, ObjectNode node) {
    Path link = Path.of("/proc", Long.toString(process.pid()), "exe");
    Optional<Path> program = target(link);
    if (program.isPresent()) {
      node.put("program", program.get().toString());
      sha256(program.get()).ifPresent(sha256 -> node.put("programSha256", sha256));
    }
  }

  private static Optional<Path> target(Path link) {
    try {
      return Optional.of(link.toRealPath());
    } catch (IOException e) {
      // Ended meanwhile, or another user's.
      return Optional.empty();
    }
  }

  private void describeJava(Stack stack) throws IOException, InterruptedException {
    ObjectNode jvm = root.putObject("jvm");
    jvm.put("home", stack.state().javaHome().toString());
    Optional<Path> library =
        // A JDK of Java 8 has it in a folder named by the architecture.
        Stream.of(
                "lib/server/libjvm.so",
                "jre/lib/" + System.getProperty("os.arch") + "/server/libjvm.so",
                "lib/" + System.getProperty("os.arch") + "/server/libjvm.so")
            .map(stack.state().javaHome()::resolve)
            .filter(Files::isReadable)
            .findFirst();
    library.flatMap(EnvironmentRecord::sha256).ifPresent(sha256 -> jvm.put("libjvmSha256", sha256));
    if (stack.fedoraPid().isEmpty()) {
      return;
    }
    try {
      for (String flag : JvmFlags.of(stack.fedoraPid().getAsLong(), FLAGS_TIMEOUT)) {
        jvm.withArray("/flags").add(stack.state().maskedText(flag));
      }
    } catch (IOException | RuntimeException e) {
      // A JVM may reject tools; its command line is recorded in any case.
      jvm.put("flagsMissing", Reason.of(e));
    }
  }

  /** Returns the record so far, as JSON in UTF-8; more may be added afterwards. */
  public byte[] encode() {
    put("runSpecific", runSpecific);
    try {
      return JSON.writeValueAsBytes(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write the environment as JSON", e);
    }
  }

  private ArrayNode artifacts() {
    return root.withArray("/artifacts");
  }

  private void put(String section, Map<String, String> facts) {
    ObjectNode node = root.putObject(section);
    facts.forEach(node::put);
  }
}
