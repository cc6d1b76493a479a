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

/** A stack's own database server, as a process that outlives the tool. */
public abstract sealed class DatabaseServer permits PostgresServer, MySqlServer {

  private static final Duration POLL = Duration.ofMillis(50);

  private static final Duration INIT_TIMEOUT = Duration.ofMinutes(2);

  /** Sufficient to write all buffers to a slow disk, as for PostgreSQL's last checkpoint. */
  static final Duration ORDERLY_STOP_TIMEOUT = Duration.ofMinutes(3);

  /** For a forced stop. */
  static final Duration FORCED_STOP_TIMEOUT = Duration.ofSeconds(5);

  /** Upper bound of {@link #stop}: that of PostgreSQL, whose children end together. */
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

  /** Returns the stack's server, or empty if its database runs in Fedora or is external. */
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

  /** Returns the process's name in messages and in stack.json. */
  public final String role() {
    return role;
  }

  final String product() {
    return stack.setting("database.product");
  }

  /**
   * Returns the coordinates of the programs for this machine; empty if they do not come from Maven.
   *
   * @throws ProvisioningException if there are none for this machine
   */
  public final Optional<String> binaries() throws ProvisioningException {
    return stack.setting("database.programs").equals("binaries")
        ? Optional.of(stack.setting("database.binaries").replace("{platform}", platform()))
        : Optional.empty();
  }

  /**
   * Returns this machine's platform in the artifact's coordinates, if used.
   *
   * @throws ProvisioningException if there are no programs for it
   */
  abstract String platform() throws ProvisioningException;

  /**
   * Checks that this machine has the programs, or can run those from Maven.
   *
   * @throws ProvisioningException with advice, if not
   */
  public abstract void checkPrograms()
      throws IOException, InterruptedException, ProvisioningException;

  /**
   * Creates an empty server with both databases, without leaving it running.
   *
   * @param jar the artifact of {@link #binaries}, or null
   * @param cache folder of unpacked programs, shared by all stacks
   * @return data for stack.json
   */
  public abstract StackDocument.Installation create(Secrets secrets, Path jar, Path cache)
      throws IOException, InterruptedException, ProvisioningException;

  /** Runs a program on the new server to its end, with output to the installation log. */
  final void runToEnd(String what, String input, List<String> commandLine)
      throws IOException, InterruptedException, ProvisioningException {
    long before = LogLines.size(folders.installLog());
    int exitCode =
        new Command(commandLine, folders.home(), folders.installLog()).run(input, INIT_TIMEOUT);
    if (exitCode != 0) {
      throw creationFailed("%s (exit code %d)".formatted(what, exitCode), before);
    }
  }

  /** Returns the failure to create a server; the installation log has the cause. */
  final ProvisioningException creationFailed(String what, long logPosition) {
    Path log = folders.installLog();
    return new ProvisioningException(
        ProvisioningStep.CREATE_DATABASE,
        "Could not " + what + ": " + logMessage(log, logPosition, "its log does not say why"),
        log);
  }

  /** Starts the server; it is not yet ready on return. */
  public LinuxProcess launch(int port) throws IOException, ProvisioningException {
    long before = LogLines.size(log());
    Process process =
        new Command(commandLine(port), folders.home(), log()).startDetached(Map.of("LC_ALL", "C"));
    return LinuxProcess.of(role, process.pid()).orElseThrow(() -> ended(role, log(), before));
  }

  /** Returns the command that runs it. */
  abstract List<String> commandLine(int port);

  /**
   * Waits until the server accepts connections.
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

  /** Returns whether a server started at this position of the log accepts connections. */
  abstract boolean isReady(LinuxProcess server, long logPosition) throws IOException;

  /**
   * Waits until a server of an earlier command accepts connections, without a known log position.
   */
  public abstract void awaitReady(LinuxProcess server)
      throws IOException, InterruptedException, ProvisioningException;

  /** Returns whether a server ended by a lost race for its port. */
  public abstract boolean lostItsPort(long logPosition) throws IOException;

  /** Returns all live processes of this server, of any call. */
  public abstract List<LinuxProcess> processes();

  /** Stops such a server, or else kills it with all its children. */
  public abstract void stop(LinuxProcess server) throws IOException;

  public final Path log() {
    return folders.databaseLog(product());
  }

  /** Returns its configuration files, which may not exist. */
  public abstract List<Path> configurationFiles();

  /** Returns the version of the programs, such as {@code PostgreSQL 18.6}. */
  public final String version() {
    return stack.database().version();
  }

  @FunctionalInterface
  interface Readiness {
    boolean reached() throws IOException;
  }

  /**
   * Waits for a started server. Recovery after a kill can be long.
   *
   * @param logPosition its size before the start
   * @throws ProvisioningException if the server ends, or after the timeout
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
            step, server.role() + " did not accept connections within " + seconds + " s.", log);
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Returns the failure of a server that ended before it was ready; its log has the cause. */
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
