package org.fedometer.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that a benchmark starts, talks to line by line, and ends. */
public final class HostProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private HostProcess(Process process) {
    this.process = process;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * A JVM of this one's class path, on the cores that it is given.
   *
   * @param cores numbers of the cores that it may use, as {@code taskset} takes them; empty to
   *     leave that as it is
   * @param more arguments after the first
   */
  public static HostProcess start(
      String cores, Class<?> main, List<String> jvm, Path argument, String... more)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (!cores.isEmpty()) {
      command.addAll(List.of("taskset", "-c", cores));
    }
    command.add(java());
    command.addAll(jvm);
    command.addAll(
        List.of(
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName(),
            argument.toString()));
    command.addAll(List.of(more));
    return new HostProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /**
   * @param errors where its standard error goes
   */
  public static HostProcess start(List<String> command, Path errors) throws IOException {
    return new HostProcess(
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start());
  }

  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Whether one core can be given to a process here. */
  public static boolean canPin() {
    return Runtime.getRuntime().availableProcessors() > 1
        && Files.isExecutable(Path.of("/usr/bin/taskset"));
  }

  /** Leaves these cores to this process, all threads of it, and to those that it starts. */
  public static void pinTo(String cores) throws IOException, InterruptedException {
    String self = String.valueOf(ProcessHandle.current().pid());
    Process pinning =
        new ProcessBuilder("taskset", "-a", "-p", "-c", cores, self)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (pinning.waitFor() != 0) {
      throw new IOException("taskset could not keep this process to the cores " + cores);
    }
  }

  public void send(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Waits until it has ended, and fails unless it ended well. */
  public void awaitEnd() throws IOException, InterruptedException {
    while (out.readLine() != null) {
      // It was not requested.
    }
    if (process.waitFor() != 0) {
      throw new IOException("The process ended with exit code " + process.exitValue());
    }
  }

  /** The rest of the next line that begins so. */
  public String await(String prefix) throws IOException {
    String line;
    while ((line = out.readLine()) != null) {
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length()).strip();
      }
    }
    throw new IOException("The process ended without saying: " + prefix);
  }

  /** Tells it to end, by closing its standard input. */
  public void end() throws IOException {
    process.getOutputStream().close();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
