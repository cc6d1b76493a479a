package org.fedometer.benchmarks.collector;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of this benchmark's class path, on one core if need be. */
final class HostProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private HostProcess(Process process) {
    this.process = process;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * @param core number of the one core that it may use, or -1 for all
   */
  static HostProcess start(int core, Class<?> main, List<String> jvm, Path argument)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (core >= 0) {
      command.addAll(List.of("taskset", "-c", String.valueOf(core)));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvm);
    command.addAll(
        List.of(
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName(),
            argument.toString()));
    return new HostProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Whether one core can be given to a process here. */
  static boolean canPin() {
    return Runtime.getRuntime().availableProcessors() > 1
        && Files.isExecutable(Path.of("/usr/bin/taskset"));
  }

  /** The rest of the next line that begins so. */
  String await(String prefix) throws IOException {
    String line;
    while ((line = out.readLine()) != null) {
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length()).strip();
      }
    }
    throw new IOException("The process ended without saying: " + prefix);
  }

  /** Tells it to end, by closing its standard input. */
  void end() throws IOException {
    process.getOutputStream().close();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
