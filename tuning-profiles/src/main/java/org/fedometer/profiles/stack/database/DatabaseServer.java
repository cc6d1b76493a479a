package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.LogLines;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.fedometer.wire.FailureText;

/** A database server of one stack's own: a real one, as a process that outlives the tool. */
public sealed interface DatabaseServer permits PostgresServer, MySqlServer {

  Duration POLL = Duration.ofMillis(50);

  /** The stack's server, or nothing if its database runs in Fedora or is somebody else's. */
  static Optional<DatabaseServer> of(StackFolders folders, StackDocument stack) {
    if (!stack.setting("database.server").equals("own")) {
      return Optional.empty();
    }
    DatabaseServer server =
        switch (stack.setting("database.product")) {
          case "postgresql" -> new PostgresServer(folders, stack);
          case "mysql" -> MySqlServer.mysql(folders, stack);
          case "mariadb" -> MySqlServer.mariadb(folders, stack);
          default ->
              throw new IllegalStateException(
                  "no server known of " + stack.setting("database.product"));
        };
    return Optional.of(server);
  }

  /** What the process is called in messages and in stack.json. */
  String role();

  /**
   * Coordinates of the artifact that holds the programs, for this machine; empty if they are not to
   * come from Maven.
   *
   * @throws ProvisioningException if there are none for this machine
   */
  Optional<String> binaries() throws ProvisioningException;

  /**
   * Checks that this machine has the programs, if they are not to come from Maven, or can run those
   * from Maven.
   *
   * @throws ProvisioningException if not; says what to do
   */
  void checkPrograms() throws IOException, InterruptedException, ProvisioningException;

  /**
   * Makes an empty server with both databases; nothing runs afterwards.
   *
   * @param jar the artifact of {@link #binaries}, or null
   * @param cache where programs are unpacked, once for all stacks
   * @return what stack.json has to hold
   */
  StackDocument.Installation create(Secrets secrets, Path jar, Path cache)
      throws IOException, InterruptedException, ProvisioningException;

  /** Starts the server; it is not yet ready when this returns. */
  LinuxProcess launch(int port) throws IOException, ProvisioningException;

  /**
   * Waits until the server takes connections.
   *
   * @param logPosition size of the log before the start
   */
  void awaitReady(LinuxProcess server, long logPosition)
      throws IOException, InterruptedException, ProvisioningException;

  /**
   * Waits until a server takes connections that an earlier command has started: where in the log
   * that was is not known.
   */
  void awaitReady(LinuxProcess server)
      throws IOException, InterruptedException, ProvisioningException;

  /** Whether the end of a server was a lost race for its port. */
  boolean lostItsPort(long logPosition) throws IOException;

  /** All processes of this server that any call has ever started and that are alive. */
  List<LinuxProcess> processes();

  /** Ends a server of this kind, orderly, else killed with all its children. */
  void stop(LinuxProcess server) throws IOException;

  Path log();

  /** Files that say how it is configured, by name; they may not exist. */
  List<Path> configurationFiles();

  /** The version of the programs, such as {@code PostgreSQL 18.6}. */
  String version();

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
  static void await(
      Readiness readiness,
      LinuxProcess server,
      Duration limit,
      ProvisioningStep step,
      Path log,
      long logPosition)
      throws IOException, InterruptedException, ProvisioningException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!readiness.reached()) {
      if (!server.isAlive()) {
        throw endedAtOnce(server.role(), log, logPosition);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new ProvisioningException(
            step,
            server.role() + " did not take connections within " + limit.toSeconds() + " s.",
            log);
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /** The failure of a server that is gone before it was ready; its log says why. */
  static ProvisioningException endedAtOnce(String role, Path log, long logPosition) {
    return new ProvisioningException(
        ProvisioningStep.START_DATABASE,
        role + " ended right after its start: " + told(log, logPosition, "no reason given"),
        log);
  }

  /** The failure to make a server; the log says why. */
  static ProvisioningException notMade(String what, Path log, long logPosition) {
    return new ProvisioningException(
        ProvisioningStep.CREATE_DATABASE,
        "Could not " + what + ": " + told(log, logPosition, "its log does not say why"),
        log);
  }

  private static String told(Path log, long logPosition, String otherwise) {
    try {
      return LogLines.firstTelling(log, logPosition).orElse(otherwise);
    } catch (IOException e) {
      return FailureText.of(e);
    }
  }
}
