package org.fedometer.profiles.stack;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.fedometer.profiles.stack.database.DatabaseAccess;
import org.fedometer.profiles.stack.database.DatabaseFolders;
import org.fedometer.profiles.stack.database.DatabaseServer;
import org.fedometer.profiles.stack.fedora.FedoraConfiguration;
import org.fedometer.profiles.stack.fedora.FedoraServer;
import org.fedometer.profiles.stack.home.DatabaseConnection;
import org.fedometer.profiles.stack.home.HomeLock;
import org.fedometer.profiles.stack.home.Masking;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.Ports;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.fedometer.profiles.stack.program.StackFiles;

/**
 * One Fedora with its database and triplestore, in its own home folder. Made by {@link
 * Provisioner}, found by {@link StackRegistry}. Its processes outlive the process that starts them.
 *
 * <p>Thread-safe, but call {@link #start} on one thread only; a concurrent {@link #stop} makes it
 * fail.
 */
public final class Stack {

  /**
   * Upper bound of {@link #bringUp} with the usual start timeout. All processes are stopped until
   * killed and the port is awaited. The database loses its port at the end of each attempt, and
   * Fedora, with a given port, has one attempt.
   */
  public static final Duration BRING_UP_TIMEOUT =
      FedoraServer.STOP_TIMEOUT
          .plus(DatabaseServer.STOP_TIMEOUT)
          .plus(Ports.FREE_TIMEOUT)
          .plus(StackOptions.START_TIMEOUT.multipliedBy(StackStart.ATTEMPTS))
          .plus(StackOptions.START_TIMEOUT);

  private static final Duration DATABASE_CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration DATABASE_RESPONSE_TIMEOUT = Duration.ofSeconds(10);

  private final StackFolders folders;
  private final StackRegistry registry;
  private final StackProcesses processes;
  private volatile Map<String, String> environment = Map.of();

  private Stack(StackFolders folders, StackRegistry registry, StackDocument document) {
    this.folders = folders;
    this.registry = registry;
    this.processes = new StackProcesses(folders, registry, document);
  }

  static Optional<Stack> at(Path home, StackRegistry registry) throws IOException {
    StackFolders folders = new StackFolders(home);
    return StackDocument.read(folders.document())
        .map(document -> new Stack(folders, registry, document));
  }

  private StackDocument document() {
    return processes.document();
  }

  /** Returns a snapshot of the current state. */
  public StackState state() {
    return new StackState(folders, document());
  }

  /**
   * Sets the Java agent of Fedora's JVM, from the next start on.
   *
   * @param agentOptions may be empty
   */
  public void useAgent(Path agentJar, String agentOptions) throws IOException {
    processes.change(
        before -> {
          List<String> arguments = argumentsWithoutAgent(before);
          arguments.add(StackOptions.agentArgument(agentJar, agentOptions));
          return before.withJvmArguments(arguments);
        });
  }

  /** Returns whether Fedora runs, and was last started with this Java agent and options. */
  public boolean runsWithAgent(Path agentJar, String agentOptions) {
    return fedoraPid().isPresent()
        && document()
            .session()
            .command()
            .contains(StackOptions.agentArgument(agentJar, agentOptions));
  }

  /** Removes the Java agent of Fedora's JVM, from the next start on. */
  public void useNoAgent() throws IOException {
    processes.change(before -> before.withJvmArguments(argumentsWithoutAgent(before)));
  }

  private static List<String> argumentsWithoutAgent(StackDocument document) {
    List<String> arguments = new ArrayList<>(document.plan().jvmArguments());
    arguments.removeIf(argument -> argument.startsWith(StackOptions.JAVA_AGENT));
    return arguments;
  }

  /**
   * Sets environment variables of Fedora's process for starts by this object. They are stored
   * nowhere, so that secrets are allowed.
   */
  public void useEnvironment(Map<String, String> variables) {
    environment = Map.copyOf(variables);
  }

  /** Sets Fedora's port from the next start on, or 0 for a free one. */
  public void useHttpPort(int port) throws IOException {
    processes.change(before -> before.withHttpPort(port));
  }

  /**
   * Starts the database and Fedora, waits until Fedora answers, and logs in once. Without a
   * requested port, Fedora keeps its last one. After {@link #stop}, this object does not start
   * again, so that a concurrent stop is not lost; {@link StackRegistry#find} returns a new one.
   *
   * @throws ProvisioningException if it does not come up; nothing is left running
   */
  public void start(ProvisioningListener listener) throws ProvisioningException {
    if (!document().provisioned()) {
      throw new IllegalStateException(
          "the stack in " + home() + " is not completely provisioned; provision it again");
    }
    starting(new ProvisioningSteps(listener)).start();
  }

  private StackStart starting(ProvisioningSteps steps) {
    return new StackStart(folders, registry, processes, environment, steps);
  }

  /**
   * Starts the stack from any state after a crash or earlier process. Waits until Fedora answers if
   * Fedora and its database run. Otherwise starts Fedora, on its last port if free, and the
   * database unless it runs. Kills a Fedora without its database, which could not write any more
   * but might answer meanwhile.
   *
   * @param logIn true to log in once; false if another client does: concurrent first logins make
   *     Fedora refuse every later one
   * @throws ProvisioningException if it does not come up; nothing is left running
   */
  public void bringUp(ProvisioningListener listener, boolean logIn) throws ProvisioningException {
    starting(new ProvisioningSteps(listener)).bringUp(logIn);
  }

  /**
   * Returns the names of the stack's processes that do not run: Fedora, and its own database
   * server, if any.
   */
  public List<String> missing() {
    return processes.missing();
  }

  /**
   * Stops Fedora, then the database, waits for each, and kills those that do not end in time.
   * Fedora first rejects new requests, completes current ones, and writes the triples in its
   * memory. Keeps the files. Idempotent; an interrupt does not cut it short.
   *
   * @return what was ended, such as {@code Fedora (pid 4711)}
   * @throws LostTriplesException if triples could not be written; all has ended nevertheless
   */
  public List<String> stop() throws IOException {
    return processes.stop();
  }

  /**
   * Stops everything and deletes the home; stack.json last, so that remains of a killed call can be
   * found and deleted. Triples in Fedora's memory are not written.
   *
   * @return what was ended, as of {@link #stop}
   */
  public List<String> delete() throws IOException {
    List<String> ended = processes.abandon();
    DatabaseFolders.of(folders, document()).delete();
    StackFiles.deleteTree(home(), folders.document());
    return ended;
  }

  interface StoppedWork<T> {
    T run(StackFolders folders, StackDocument document, Secrets secrets)
        throws IOException, InterruptedException;
  }

  /**
   * Runs work with the database up and Fedora configured for it, but stopped. First stops a
   * database left by a dead Fedora; afterwards stops what was started.
   *
   * @throws ProvisioningException if Fedora runs, another process is about to start it, or the
   *     database does not come up
   */
  <T> T whileStopped(ProvisioningListener listener, StoppedWork<T> work)
      throws IOException, InterruptedException, ProvisioningException {
    HomeLock alone = registry.lock(home());
    try (alone) {
      ProvisioningSteps steps = new ProvisioningSteps(listener);
      steps.begin(ProvisioningStep.PREFLIGHT);
      List<LinuxProcess> running = processes.ofJava();
      if (!running.isEmpty()) {
        throw ProvisioningException.preflight(
            "%s still runs on %s; stop it first with 'fedometer stack down --home %s'.",
            String.join(", ", StackProcesses.names(running)), home(), home());
      }
      if (!document().provisioned() || document().session().httpPort() == 0) {
        throw ProvisioningException.preflight(
            "The Fedora in "
                + home()
                + " has never started, so that its home has no objects to scan.");
      }
      processes.endAll();
      try {
        StackStart start = starting(steps);
        Secrets secrets = start.secrets();
        Optional<DatabaseServer> database = processes.database();
        if (database.isPresent()) {
          start.startDatabase(database.get());
        }
        steps.begin(ProvisioningStep.CONFIGURE);
        new FedoraConfiguration(folders, document(), secrets).apply();
        steps.end();
        return work.run(folders, document(), secrets);
      } finally {
        processes.endAll();
      }
    }
  }

  /**
   * Returns how the stack's processes started by this process were killed, if known, such as {@code
   * Fedora was killed by signal 9}; empty if none was.
   *
   * @param roles as of {@link #missing}
   */
  public String killCauses(List<String> roles) {
    return processes.killCauses(roles);
  }

  public boolean isRunning() {
    return processes.anyRuns();
  }

  /**
   * Returns whether Fedora has ended by itself, or was killed, since the stack was started; false
   * before its start. Its database may still run.
   */
  public boolean fedoraHasEnded() {
    return processes.fedoraHasEnded();
  }

  /** Returns role and number of each running process, such as {@code PostgreSQL (pid 4711)}. */
  public List<String> running() {
    return processes.running();
  }

  /** Returns whether the home is complete, so that the stack can be started. */
  public boolean isProvisioned() {
    return document().provisioned();
  }

  /** Returns Fedora's base URL of the last start, such as {@code http://127.0.0.1:8080/fedora}. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + document().session().httpPort() + "/fedora");
  }

  public String user() {
    return FedoraServer.ADMINISTRATOR;
  }

  /** Returns the file with only the administrator's password. */
  public Path passwordFile() {
    return folders.adminPassword();
  }

  public OptionalLong fedoraPid() {
    return processes.pidOf(FedoraServer.ROLE);
  }

  public OptionalLong databasePid() {
    return processes
        .database()
        .map(server -> processes.pidOf(server.role()))
        .orElse(OptionalLong.empty());
  }

  public Path home() {
    return folders.home();
  }

  public String profileName() {
    return document().plan().profile();
  }

  /** Returns all settings as used, {@code dimension.key} to value. */
  public Map<String, String> settings() {
    return document().plan().settings();
  }

  /**
   * Returns the longest literal that the triplestore keeps; {@link Integer#MAX_VALUE} if unlimited
   * as far as known.
   */
  public int literalLimitBytes() {
    return document().plan().literalLimitBytes();
  }

  /**
   * Opens a connection to the database of the triples, or else of Fedora's tables, as Fedora's
   * user. Empty if the database runs inside Fedora.
   *
   * @throws SQLException if the database is not available, or rejects the login
   */
  public Optional<Connection> connectToDatabase() throws IOException, SQLException {
    if (document().setting("database.product").equals("derby")) {
      return Optional.empty();
    }
    DatabaseAccess access = DatabaseAccess.of(folders, document(), Secrets.read(folders));
    boolean triples = document().setting("triplestore.store").equals("mptstore");
    return Optional.of(
        DatabaseConnection.open(
            triples ? access.triplesUrl() : access.fedoraUrl(),
            access.user(),
            access.password(),
            DATABASE_CONNECT_TIMEOUT,
            DATABASE_RESPONSE_TIMEOUT));
  }

  /** Masks a value that has the form of a secret, without knowledge of a stack's secrets. */
  public static String maskedByForm(String value) {
    return new Masking(List.of()).mask(value);
  }

  /** Returns the existing logs, as of {@link StackState#logs}. */
  public Map<String, Path> logs() {
    return state().logs();
  }
}
