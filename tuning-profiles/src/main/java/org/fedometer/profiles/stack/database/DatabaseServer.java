package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.Command;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.LogLines;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.fedometer.wire.FailureText;

/** A database server of one stack's own: a real one, as a process that outlives the tool. */
public abstract sealed class DatabaseServer permits PostgresServer, MySqlServer {

  private static final Duration POLL = Duration.ofMillis(50);

  private static final Duration INIT_TIMEOUT = Duration.ofMinutes(2);

  /** Long enough to write all buffers to a slow disk, as for PostgreSQL's last checkpoint. */
  static final Duration ORDERLY_STOP_TIMEOUT = Duration.ofMinutes(3);

  /** Of what is not orderly. */
  static final Duration FORCED_STOP_TIMEOUT = Duration.ofSeconds(5);

  /** What {@link #stop} may take: that of PostgreSQL, whose children end together. */
  public static final Duration STOP_TIMEOUT =
      ORDERLY_STOP_TIMEOUT.plus(FORCED_STOP_TIMEOUT.multipliedBy(4));

  final StackFolders folders;
  final StackDocument stack;
  final DatabaseFolders files;
  private final String role;

  DatabaseServer(String role, StackFolders folders, StackDocument stack) {
    this.role = role;
    this.folders = folders;
    this.stack = stack;
    this.files = DatabaseFolders.of(folders, stack);
  }

  /** The stack's server, or nothing if its database runs in Fedora or is somebody else's. */
  public static Optional<DatabaseServer> of(StackFolders folders, StackDocument stack) {
    if (!stack.setting("database.server").equals("managed")) {
      return Optional.empty();
    }
    DatabaseServer server =
        switch (stack.setting("database.product")) {
          case "postgresql" -> new PostgresServer(folders, stack);
          case "mysql" -> new MySqlServer("MySQL", folders, stack);
          case "mariadb" -> new MySqlServer("MariaDB", folders, stack);
          default ->
              throw new IllegalStateException(
                  "no server known of " + stack.setting("database.product"));
        };
    return Optional.of(server);
  }

  /** What the process is called in messages and in stack.json. */
  public final String role() {
    return role;
  }

  final String product() {
    return stack.setting("database.product");
  }

  /**
   * Coordinates of the artifact that holds the programs, for this machine; empty if they are not to
   * come from Maven.
   *
   * @throws ProvisioningException if there are none for this machine
   */
  public final Optional<String> binaries() throws ProvisioningException {
    return stack.setting("database.programs").equals("binaries")
        ? Optional.of(stack.setting("database.binaries").replace("{platform}", platform()))
        : Optional.empty();
  }

  /**
   * The name of this machine's kind in the artifact's coordinates, if it is in there.
   *
   * @throws ProvisioningException if there are no programs for it
   */
  abstract String platform() throws ProvisioningException;

  /**
   * Checks that this machine has the programs, if they are not to come from Maven, or can run those
   * from Maven.
   *
   * @throws ProvisioningException if not; says what to do
   */
  public abstract void checkPrograms()
      throws IOException, InterruptedException, ProvisioningException;

  /**
   * Makes an empty server with both databases; nothing runs afterwards.
   *
   * @param jar the artifact of {@link #binaries}, or null
   * @param cache where programs are unpacked, once for all stacks
   * @return what stack.json has to hold
   */
  public abstract StackDocument.Installation create(Secrets secrets, Path jar, Path cache)
      throws IOException, InterruptedException, ProvisioningException;

  /** A program's work on the new server to its end, in the log of the installation. */
  final void runToEnd(String what, String input, List<String> commandLine)
      throws IOException, InterruptedException, ProvisioningException {
    long before = LogLines.size(folders.installLog());
    if (new Command(commandLine, folders.home(), folders.installLog()).run(input, INIT_TIMEOUT)
        != 0) {
      throw creationFailed(what, before);
    }
  }

  /** The failure to make a server; the log of the installation says why. */
  final ProvisioningException creationFailed(String what, long logPosition) {
    Path log = folders.installLog();
    return new ProvisioningException(
        ProvisioningStep.CREATE_DATABASE,
        "Could not " + what + ": " + logMessage(log, logPosition, "its log does not say why"),
        log);
  }

  /** Starts the server; it is not yet ready when this returns. */
  public LinuxProcess launch(int port) throws IOException, ProvisioningException {
    long before = LogLines.size(log());
    Process process =
        new Command(commandLine(port), folders.home(), log()).startDetached(Map.of("LC_ALL", "C"));
    return LinuxProcess.of(role, process.pid()).orElseThrow(() -> ended(role, log(), before));
  }

  /** That runs it. */
  abstract List<String> commandLine(int port);

  /**
   * Waits until the server takes connections.
   *
   * @param logPosition size of the log before the start
   */
  public final void awaitReady(LinuxProcess server, long logPosition)
      throws IOException, InterruptedException, ProvisioningException {
    await(
        () -> isReady(server, logPosition),
        server,
        ProvisioningStep.START_DATABASE,
        log(),
        logPosition);
  }

  /** Whether a server that was started at this position of the log takes connections. */
  abstract boolean isReady(LinuxProcess server, long logPosition) throws IOException;

  /**
   * Waits until a server takes connections that an earlier command has started: where in the log
   * that was is not known.
   */
  public abstract void awaitReady(LinuxProcess server)
      throws IOException, InterruptedException, ProvisioningException;

  /** Whether the end of a server was a lost race for its port. */
  public abstract boolean lostItsPort(long logPosition) throws IOException;

  /** All processes of this server that any call has ever started and that are alive. */
  public abstract List<LinuxProcess> processes();

  /** Ends a server of this kind, orderly, else killed with all its children. */
  public abstract void stop(LinuxProcess server) throws IOException;

  public final Path log() {
    return folders.databaseLog(product());
  }

  /** Files that say how it is configured, by name; they may not exist. */
  public abstract List<Path> configurationFiles();

  /** The version of the programs, such as {@code PostgreSQL 18.6}. */
  public final String version() {
    return stack.database().version();
  }

  @FunctionalInterface
  interface Readiness {
    boolean reached() throws IOException;
  }

  /**
   * Waits for a server that was started. Recovery after a kill takes as long as there is to
   * recover.
   *
   * @param logPosition its size before the start
   * @throws ProvisioningException if the server ends, or the time is over
   */
  final void await(
      Readiness readiness, LinuxProcess server, ProvisioningStep step, Path log, long logPosition)
      throws IOException, InterruptedException, ProvisioningException {
    long seconds = stack.plan().startTimeoutSeconds();
    long deadline = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    while (!readiness.reached()) {
      if (!server.isAlive()) {
        throw ended(server.role(), log, logPosition);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new ProvisioningException(
            step, server.role() + " did not take connections within " + seconds + " s.", log);
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /** The failure of a server that is gone before it was ready; its log says why. */
  private static ProvisioningException ended(String role, Path log, long logPosition) {
    return new ProvisioningException(
        ProvisioningStep.START_DATABASE,
        role + " ended right after its start: " + logMessage(log, logPosition, "no reason given"),
        log);
  }

  private static String logMessage(Path log, long logPosition, String otherwise) {
    try {
      return LogLines.firstError(log, logPosition).orElse(otherwise);
    } catch (IOException e) {
      return FailureText.of(e);
    }
  }
}
