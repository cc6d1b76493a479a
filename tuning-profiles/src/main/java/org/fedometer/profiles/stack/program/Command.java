package org.fedometer.profiles.stack.program;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A command run to its end on the calling thread, or started to outlive it. Its environment lacks
 * variables that would change the behavior of Java or PostgreSQL unnoticed. It also lacks the
 * collector's token, which is only for authorized programs.
 */
public final class Command {

  private static final List<String> UNWANTED =
      List.of(
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "_JAVA_OPTIONS",
          "JAVA_OPTS",
          "CATALINA_OPTS",
          "CATALINA_HOME",
          "CATALINA_BASE",
          "CLASSPATH",
          "FEDOMETER_TOKEN");

  /** Used instead of the exit status of a command that exceeded its timeout. */
  public static final int KILLED = -1;

  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  private final List<String> commandLine;
  private final Path folder;
  private final Path log;

  /**
   * @param folder the working folder
   * @param log the file to which output is appended
   */
  public Command(List<String> commandLine, Path folder, Path log) {
    this.commandLine = List.copyOf(commandLine);
    this.folder = folder;
    this.log = log;
  }

  /**
   * @param input the available input, which the command may ignore
   * @return exit status, or {@link #KILLED} if it was killed after the timeout
   * @throws InterruptedException if this thread is interrupted; the command is killed
   */
  public int run(String input, Duration timeout) throws IOException, InterruptedException {
    Process process = builder(commandLine).start();
    try {
      // On another thread: if a command hangs without reading, neither the timeout nor an interrupt
      // would end the writing.
      DaemonThreads.newThread("fedometer-command-input", () -> feed(process, input)).start();
      if (process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
      return KILLED;
    } finally {
      process.descendants().forEach(Command::kill);
      kill(process.toHandle());
    }
  }

  private static void feed(Process process, String input) {
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It ended without reading everything; its exit status and log explain why.
    }
  }

  /**
   * Kills the process. It is gone on return, unless the kernel holds it; an interrupt does not
   * shorten the wait.
   */
  private static void kill(ProcessHandle process) {
    if (process.destroyForcibly()) {
      process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
    }
  }

  /**
   * @param status the exit status, or {@link #KILLED}
   * @param output the output, without the end of its last line
   */
  public record Result(int status, String output) {}

  /**
   * Returns the output of a short-lived command, without the end of its last line.
   *
   * @throws IOException if it fails or takes longer than half a minute
   */
  public static String output(List<String> commandLine) throws IOException, InterruptedException {
    Result result = execute(commandLine);
    if (result.status() != 0) {
      throw new IOException(String.join(" ", commandLine) + " failed: " + result.output());
    }
    return result.output();
  }

  /**
   * Runs a short-lived command in a temporary folder, for half a minute at most.
   *
   * @throws IOException if it cannot be started
   */
  public static Result execute(List<String> commandLine) throws IOException, InterruptedException {
    return execute(commandLine, DEFAULT_TIMEOUT);
  }

  public static Result execute(List<String> commandLine, Duration limit)
      throws IOException, InterruptedException {
    Path temporary = Files.createTempDirectory("fedometer-");
    try {
      // Not a pipe: any process that inherits a pipe blocks its reader.
      Path printed = Files.createFile(temporary.resolve("output"));
      int status =
          new Command(commandLine, Files.createDirectory(temporary.resolve("folder")), printed)
              .run("", limit);
      String output = new String(Files.readAllBytes(printed), StandardCharsets.UTF_8);
      return new Result(status, output.strip());
    } finally {
      StackFiles.deleteTree(temporary);
    }
  }

  /**
   * Starts the command in a separate session, so that Ctrl-C in the terminal does not reach it, and
   * leaves it running.
   */
  public Process startDetached(Map<String, String> variables) throws IOException {
    List<String> detached = new ArrayList<>();
    if (isOnSearchPath("setsid")) {
      detached.add("setsid");
    }
    detached.addAll(commandLine);
    ProcessBuilder builder = builder(detached);
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().putAll(variables);
    return ProcessExits.startTracked(builder::start);
  }

  /**
   * Returns whether a folder of {@code PATH} holds such a program that this user may run.
   *
   * @param command the name, without a folder
   */
  public static boolean isOnSearchPath(String command) {
    String searchPath = System.getenv("PATH");
    if (searchPath == null) {
      return false;
    }
    for (String folder : searchPath.split(":")) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, command))) {
        return true;
      }
    }
    return false;
  }

  private ProcessBuilder builder(List<String> commandLine) {
    ProcessBuilder builder =
        new ProcessBuilder(commandLine)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    removeUnwanted(builder.environment());
    return builder;
  }

  /** Removes variables that are not for child programs from an environment. */
  public static void removeUnwanted(Map<String, String> environment) {
    environment.keySet().removeIf(name -> UNWANTED.contains(name) || name.startsWith("PG"));
  }
}
