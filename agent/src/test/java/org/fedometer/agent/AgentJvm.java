package org.fedometer.agent;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Starts {@link StandInFedora} in a JVM of its own, as Fedora is started, with the agent's real
 * jar.
 */
final class AgentJvm {

  static final Path JAR = Path.of("target", "fedometer-agent.jar").toAbsolutePath();

  record Outcome(int exitCode, String out, String err, long millis) {}

  private AgentJvm() {}

  /**
   * @param agentOptions behind {@code -javaagent:...jar}, with its {@code =}; {@code null} for no
   *     agent
   */
  static Outcome run(
      Path folder,
      String agentOptions,
      Map<String, String> environment,
      List<String> jvmOptions,
      String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    if (agentOptions != null) {
      command.add("-javaagent:" + JAR + agentOptions);
    }
    command.addAll(jvmOptions);
    // The stand-ins alone: nothing of the agent is on the class path but what its jar brings, as
    // -javaagent puts it there.
    String standIns = Path.of("target", "test-classes").toAbsolutePath().toString();
    command.addAll(
        List.of("-cp", agentOptions == null ? standIns + File.pathSeparator + JAR : standIns));
    command.add(StandInFedora.class.getName());
    command.addAll(List.of(arguments));
    File out = folder.resolve("out").toFile();
    File err = folder.resolve("err").toFile();
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out).redirectError(err);
    builder.environment().putAll(environment);
    long start = System.nanoTime();
    Process process = builder.start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("the stand-in did not end within 60 s");
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    return new Outcome(
        process.exitValue(),
        Files.readString(out.toPath(), StandardCharsets.UTF_8),
        Files.readString(err.toPath(), StandardCharsets.UTF_8),
        millis);
  }
}
