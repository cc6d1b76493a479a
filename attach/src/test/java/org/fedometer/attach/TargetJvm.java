package org.fedometer.attach;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A JVM that does nothing, to be attached to; ended by {@link #close}. */
final class TargetJvm implements AutoCloseable {
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Process process;
  private final long pid;

  private TargetJvm(Process process, long pid) {
    this.process = process;
    this.pid = pid;
  }

  /** Prints that it is up and waits for its input to end. */
  public static final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
      Files.writeString(Path.of(arguments[0]), Long.toString(ProcessHandle.current().pid()));
      while (System.in.read() >= 0) {
        continue;
      }
    }
  }

  /** With Fedora's home among its properties. */
  static TargetJvm fedora(Path folder, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("-Dfedora.home=/srv/fedora"));
    all.addAll(List.of(options));
    return start(folder, List.of(), Map.of(), all);
  }

  /**
   * @param before what starts the JVM, such as {@code setpriv}; the JVM is its last descendant
   * @param options of the JVM
   */
  static TargetJvm start(
      Path folder, List<String> before, Map<String, String> environment, List<String> options)
      throws IOException {
    Path up = Files.createTempDirectory(folder, "target").resolve("up");
    Files.setPosixFilePermissions(up.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of(JAVA, "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(List.of("-cp", classes(), Main.class.getName(), up.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).directory(folder.toFile());
    builder.redirectOutput(up.resolveSibling("out").toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    await()
        .atMost(TIMEOUT)
        .until(() -> !process.isAlive() || Files.exists(up) && Files.size(up) > 0);
    if (!process.isAlive()) {
      throw new IOException(Files.readString(up.resolveSibling("out")));
    }
    ProcessHandle jvm = process.toHandle();
    while (jvm.children().findFirst().isPresent()) {
      jvm = jvm.children().findFirst().get();
    }
    return new TargetJvm(process, jvm.pid());
  }

  static String classes() {
    return Path.of("target", "test-classes").toAbsolutePath().toString();
  }

  long pid() {
    return pid;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  Jvm seen() throws AttachException {
    return Jvms.of(pid);
  }

  /** STOP, CONT. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + pid).start().waitFor();
  }

  @Override
  public void close() {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }
}
