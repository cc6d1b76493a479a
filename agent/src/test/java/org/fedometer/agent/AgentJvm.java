package org.fedometer.agent;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/** {@link StandInFedora} in a separate JVM, started like Fedora, with the agent's real jar. */
final class AgentJvm implements AutoCloseable {

  static final Path JAR = Path.of("target", "fedometer-agent.jar").toAbsolutePath();

  /** Enough for a JVM to start and be woven while the machine is busy with something else. */
  static final Duration TIMEOUT = Duration.ofSeconds(60);

  record Outcome(int exitCode, String err) {}

  private final Process process;
  private final Path err;
  private final Writer commands;
  private final BlockingQueue<String> responses = new LinkedBlockingQueue<>();

  private AgentJvm(Process process, Path err) {
    this.process = process;
    this.err = err;
    this.commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "stand-in-output");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts the stand-in and waits until it is up.
   *
   * @param agentOptions behind {@code -javaagent:...jar}, with its {@code =}; {@code null} for no
   *     agent
   * @param environment of the JVM; its {@code CLASSPATH} comes behind the stand-ins
   */
  static AgentJvm start(
      Path folder, String agentOptions, Map<String, String> environment, String... jvmOptions)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // One that lives for a few seconds would compile for most of them.
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
    if (agentOptions != null) {
      command.add("-javaagent:" + JAR + agentOptions);
    }
    command.addAll(List.of(jvmOptions));
    // The stand-ins alone: nothing of the agent is on the class path but what its jar brings.
    String classPath = Path.of("target", "test-classes").toAbsolutePath().toString();
    if (environment.containsKey("CLASSPATH")) {
      classPath += File.pathSeparator + environment.get("CLASSPATH");
    }
    command.addAll(List.of("-cp", classPath));
    command.add(StandInFedora.class.getName());
    Path err = folder.resolve("err" + System.nanoTime());
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(new File(err.toString()));
    builder.environment().putAll(environment);
    AgentJvm jvm = new AgentJvm(builder.start(), err);
    String first = jvm.nextResponse();
    if (!first.equals("up")) {
      jvm.close();
      throw new IOException("the stand-in did not come up: " + first + Files.readString(err));
    }
    return jvm;
  }

  long pid() {
    return process.pid();
  }

  /** Sends one line to the stand-in and returns its reply. */
  String send(String line) throws IOException, InterruptedException {
    commands.write(line + "\n");
    commands.flush();
    return nextResponse();
  }

  /** Returns the stand-in's standard error so far. */
  String err() throws IOException {
    return Files.readString(err, StandardCharsets.UTF_8);
  }

  /** Ends the stand-in as its input ends. */
  Outcome end() throws IOException, InterruptedException {
    commands.close();
    if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException("the stand-in did not end within " + TIMEOUT.toSeconds() + " s");
    }
    return new Outcome(process.exitValue(), err());
  }

  /** Waits until a condition holds; a timeout reports the state of this JVM. */
  void awaitUntil(Callable<Boolean> condition) throws IOException, InterruptedException {
    try {
      Awaitility.await()
          .atMost(TIMEOUT)
          .failFast("the JVM has ended", () -> !process.isAlive())
          .until(condition);
    } catch (ConditionTimeoutException | TerminalFailureException e) {
      throw new AssertionError(
          "in vain; it said:\n" + err() + "\n" + responses + "\n" + threadsOrExitCode(), e);
    }
  }

  private String threadsOrExitCode() throws IOException, InterruptedException {
    return process.isAlive() ? jcmd("Thread.print") : "exit code " + process.exitValue();
  }

  /** Returns the heap's content by class. */
  String histogram() throws IOException, InterruptedException {
    return jcmd("GC.class_histogram");
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(pid()),
                command)
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (jcmd.waitFor() != 0) {
      throw new IOException(said);
    }
    return said;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private String nextResponse() throws IOException, InterruptedException {
    while (true) {
      String line = responses.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      if (line == null) {
        throw new IOException("no answer within " + TIMEOUT.toSeconds() + " s");
      }
      if (!line.startsWith("refused ")) {
        return line;
      }
    }
  }

  private void read() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        responses.add(line);
      }
    } catch (IOException ended) {
      // With its process.
    }
    responses.add("ended");
  }
}
