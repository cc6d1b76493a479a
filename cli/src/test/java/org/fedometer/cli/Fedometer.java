package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.UnknownProfileException;

/** The built distribution's command, run as a user runs it: a process of its own. */
final class Fedometer {
  private static final Path COMMAND = Path.of("target/fedometer/bin/fedometer").toAbsolutePath();
  private static final Path QUICK_JAVA = quickJava();
  private static final Pattern LISTEN_ADDRESS = Pattern.compile("listens on (\\S+:[1-9][0-9]*),");
  private static final Pattern HTTP_ADDRESS =
      Pattern.compile("HTTP: the dashboard\\S* .* on (\\S+:[1-9][0-9]*)");
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * For {@code --set}: the quick compiler only. Fedoras of tests live for a minute and would
   * compile for most of it.
   */
  static final String QUICK_COMPILER = "jvm.arguments+=-XX:TieredStopAtLevel=1";

  /** The checkout's root; the tests of this module run in its folder. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private final Path folder;
  private final Path store;
  private final List<String> commandPrefix;
  private final Calls calls;

  /** All commands that were started for a test. */
  private record Calls(AtomicInteger number, Queue<Call> started) {}

  /**
   * @param folder where the store, the state and what the commands print go; one for each test
   */
  Fedometer(Path folder) {
    this(
        folder,
        folder.resolve("store"),
        List.of(),
        new Calls(new AtomicInteger(), new ConcurrentLinkedQueue<>()));
  }

  private Fedometer(Path folder, Path store, List<String> entrance, Calls calls) {
    this.folder = folder;
    this.store = store;
    this.commandPrefix = entrance;
    this.calls = calls;
    assertThat(COMMAND).as("distribution, built in the package phase").exists();
  }

  /**
   * Returns a Fedometer for another environment, such as another network or clock.
   *
   * @param prefix start of each command line; the program must exec the rest to keep the process
   */
  Fedometer withPrefix(List<String> prefix) {
    return new Fedometer(folder, store, prefix, calls);
  }

  /** The same with another store. */
  Fedometer withStore(Path another) {
    return new Fedometer(folder, another, commandPrefix, calls);
  }

  /** A command that was started; its output goes to files. */
  final class Call {
    private final Process process;
    private final Path out;
    private final Path err;

    private Call(Process process, Path out, Path err) {
      this.process = process;
      this.out = out;
      this.err = err;
    }

    Process process() {
      return process;
    }

    /** {@code STOP} makes it stand still, {@code CONT} makes it go on. */
    void signal(String signal) throws IOException, InterruptedException {
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
    }

    /** Waits for the end; a command that hangs is a failure, and is ended. */
    Call await(Duration timeout) throws InterruptedException {
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError("still running after " + timeout + "\n" + err());
      }
      return this;
    }

    Call expect(int exitCode) {
      assertThat(process.exitValue()).as("exit code; it said:\n%s", err()).isEqualTo(exitCode);
      return this;
    }

    String out() {
      return read(out);
    }

    String err() {
      return read(err);
    }

    /** Returns the HOST:PORT of a foreground collector, once it listens. */
    String address() {
      return awaitMatch(LISTEN_ADDRESS);
    }

    /**
     * Returns the HTTP endpoint's HOST:PORT of a foreground collector with {@code --http}, once it
     * listens.
     */
    String httpAddress() {
      return awaitMatch(HTTP_ADDRESS);
    }

    /** Waits for the text on standard error; fails if the command ends before. */
    void awaitOutput(String text) {
      Awaitility.await()
          .atMost(Site.TIMEOUT)
          .failFast(
              "it ended early",
              () -> assertThat(process.isAlive() || err().contains(text)).as(err()).isTrue())
          .until(() -> err().contains(text));
    }

    /** Waits for the pattern; otherwise ends the command and fails. */
    private String awaitMatch(Pattern pattern) {
      try {
        return Awaitility.await()
            .atMost(Duration.ofMinutes(2))
            .failFast("it ended early", () -> assertThat(process.isAlive()).as(err()).isTrue())
            .until(() -> pattern.matcher(err()), Matcher::find)
            .group(1);
      } catch (ConditionTimeoutException e) {
        process.destroyForcibly();
        throw e;
      }
    }

    JsonNode json() throws IOException {
      return JSON.readTree(out());
    }
  }

  /** A profile that is shipped, for a Fedora that lives for a minute. */
  static Profile profile(String name) throws UnknownProfileException {
    return Profiles.shipped().profile(name, List.of(QUICK_COMPILER));
  }

  Path store() {
    return store;
  }

  /** The rows that a statement over one run has for an answer. */
  JsonNode query(String run, String sql) throws Exception {
    return startWithStore("runs", "query", sql, "--run", run, "--format", "json")
        .await(Site.TIMEOUT)
        .expect(ExitCode.DONE)
        .json();
  }

  /**
   * Numbers that queries over one run have for an answer.
   *
   * @param namesAndQueries in turns; a query is what follows SELECT
   */
  JsonNode queryNumbers(String run, String... namesAndQueries) throws Exception {
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < namesAndQueries.length; i += 2) {
      columns.add("(SELECT " + namesAndQueries[i + 1] + ") AS " + namesAndQueries[i]);
    }
    return query(run, "SELECT " + String.join(", ", columns)).get(0);
  }

  /** The rows that a statement over all runs has for an answer. */
  JsonNode query(String sql) throws Exception {
    return startWithStore("runs", "query", sql, "--format", "json")
        .await(Site.TIMEOUT)
        .expect(ExitCode.DONE)
        .json();
  }

  /** Starts {@code fedometer ARGUMENTS --store STORE}. */
  Call startWithStore(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--store");
    all.add(store().toString());
    return start(all.toArray(String[]::new));
  }

  Call start(String... arguments) throws IOException {
    return start(Map.of(), arguments);
  }

  Call start(Map<String, String> environment, String... arguments) throws IOException {
    int number = calls.number().incrementAndGet();
    Path out = folder.resolve("call-" + number + ".out");
    Path err = folder.resolve("call-" + number + ".err");
    List<String> command = new ArrayList<>(commandPrefix);
    // Tests that a shell has started in the background ignore Ctrl-C, and so would the command.
    command.addAll(List.of("/usr/bin/env", "--default-signal=INT", COMMAND.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", QUICK_JAVA.toString());
    builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
    builder.environment().putAll(environment);
    Call call = new Call(builder.start(), out, err);
    calls.started().add(call);
    return call;
  }

  /** Ends by force what still runs of the commands: those of a test that failed. */
  void endCalls() throws InterruptedException {
    for (Call call : calls.started()) {
      call.process().destroyForcibly().waitFor();
    }
  }

  /** Returns processes that commands left behind, by this test's folder in the command line. */
  List<String> processesLeft() {
    return ProcessHandle.allProcesses()
        .filter(ProcessHandle::isAlive)
        .map(process -> process.pid() + " " + commandLine(process.pid()))
        .filter(line -> line.contains(folder.toString()))
        .toList();
  }

  /** The Java of this JVM with the quick compiler only, as {@link #QUICK_COMPILER}. */
  private static Path quickJava() {
    Path java = Path.of(System.getProperty("java.home"));
    Path home = Path.of("target/quick-java").toAbsolutePath();
    try {
      Files.createDirectories(home.resolve("bin"));
      Path aside = Files.createTempFile(home, "java", "");
      Files.copy(java.resolve("release"), aside, StandardCopyOption.REPLACE_EXISTING);
      Files.move(aside, home.resolve("release"), StandardCopyOption.ATOMIC_MOVE);
      Files.writeString(
          aside,
          "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 \"$@\"\n"
              .formatted(java.resolve("bin/java")));
      Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rwxr-xr-x"));
      // Another JVM's tests may be starting it.
      Files.move(aside, home.resolve("bin/java"), StandardCopyOption.ATOMIC_MOVE);
      return home;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline")).replace('\0', ' ');
    } catch (IOException e) {
      return "";
    }
  }

  /** Half of a character, where the command is just writing it, is no failure. */
  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
