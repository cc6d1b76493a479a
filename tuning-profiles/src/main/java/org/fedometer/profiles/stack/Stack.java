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
 * One Fedora with its database and triplestore, in a home folder of its own. Made by {@link
 * Provisioner}, found again by {@link StackRegistry}. Its processes outlive the process that starts
 * them.
 *
 * <p>{@link #start} is called on one thread; {@link #stop} may be called on any, also while another
 * one is in {@code start}, which then fails. Everything else may be called on any thread.
 */
public final class Stack {

  /**
   * The longest that {@link #bringUp} may take where a stack has the time to start that is usual:
   * all is ended in vain until it is killed, the port is waited for, the database loses its own
   * port each time when it is almost there, and Fedora, whose port is given, has one attempt.
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

  /** As it is now; what happens later is not in it. */
  public StackState state() {
    return new StackState(folders, document());
  }

  /**
   * Puts a Java agent into Fedora's JVM from the next start on, instead of the one that it had.
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

  /** Whether Fedora runs, and was last started with this Java agent and these options of it. */
  public boolean runsWithAgent(Path agentJar, String agentOptions) {
    return fedoraPid().isPresent()
        && document()
            .session()
            .command()
            .contains(StackOptions.agentArgument(agentJar, agentOptions));
  }

  /** Leaves the Java agent that it had out of Fedora's JVM from the next start on. */
  public void useNoAgent() throws IOException {
    processes.change(before -> before.withJvmArguments(argumentsWithoutAgent(before)));
  }

  private static List<String> argumentsWithoutAgent(StackDocument document) {
    List<String> arguments = new ArrayList<>(document.plan().jvmArguments());
    arguments.removeIf(argument -> argument.startsWith(StackOptions.JAVA_AGENT));
    return arguments;
  }

  /**
   * Gives Fedora's process environment variables when this object starts it. They are written down
   * nowhere, so they may be secrets.
   */
  public void useEnvironment(Map<String, String> variables) {
    environment = Map.copyOf(variables);
  }

  /** Fedora's port from the next start on, or 0 for a free one. */
  public void useHttpPort(int port) throws IOException {
    processes.change(before -> before.withHttpPort(port));
  }

  /**
   * Starts the database and Fedora, waits until Fedora answers, and logs in once. Where no port was
   * asked for, Fedora has the one that it had before. After {@link #stop} this object does not
   * start again, so that a stop that comes while another thread is about to start is not lost;
   * {@link StackRegistry#find} gives a fresh one.
   *
   * @throws ProvisioningException if it does not come up; nothing is left running
   */
  public void start(ProvisioningListener listener) throws ProvisioningException {
    if (!document().provisioned()) {
      throw new IllegalStateException(
          "the stack in " + home() + " was not provisioned to its end; provision it again");
    }
    starting(new ProvisioningSteps(listener)).start();
  }

  private StackStart starting(ProvisioningSteps steps) {
    return new StackStart(folders, registry, processes, environment, steps);
  }

  /**
   * Has the stack up, whatever a crash or an earlier process has left of it. Where Fedora and its
   * database run, this waits until Fedora answers. Where one of them does not, Fedora is started,
   * on the port that it had last if nobody else has taken that, and the database, too, unless it
   * runs. A Fedora whose database has gone is killed: it could write nothing any more, and might
   * answer meanwhile.
   *
   * @param logIn whether to log in once; false where somebody waits for Fedora who does: first
   *     logins that come at once leave it refusing every later one
   * @throws ProvisioningException if it does not come up; nothing is left running
   */
  public void bringUp(ProvisioningListener listener, boolean logIn) throws ProvisioningException {
    starting(new ProvisioningSteps(listener)).bringUp(logIn);
  }

  /**
   * Which of the stack's processes do not run, by name: Fedora, and its database's server if it has
   * one of its own.
   */
  public List<String> missing() {
    return processes.missing();
  }

  /**
   * Ends Fedora, orderly, then the database, waiting for each and killing what does not end in
   * time. Before that Fedora refuses new requests, finishes those under way, and writes the triples
   * that it has in memory. Keeps the files. Calling it again does nothing. Interrupting the thread
   * does not cut it short.
   *
   * @return what was ended, such as {@code Fedora (pid 4711)}
   * @throws LostTriplesException if triples could not be written; all has ended nevertheless
   */
  public List<String> stop() throws IOException {
    return processes.stop();
  }

  /**
   * Ends everything and deletes the home; stack.json last, so that what a killed call leaves can be
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
   * Has the database up and Fedora configured for it, but not started, while something is done.
   * What a dead Fedora has left of the database is ended first, as is what was started when it is
   * done.
   *
   * @throws ProvisioningException if Fedora runs, somebody else is about to start it, or the
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
            "%s runs on %s; end it first, with 'fedometer stack down --home %s'.",
            String.join(", ", StackProcesses.names(running)), home(), home());
      }
      if (!document().provisioned() || document().session().httpPort() == 0) {
        throw ProvisioningException.preflight(
            "The Fedora in " + home() + " was never started; there is nothing to look at.");
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
   * How processes of the stack that this process has started were killed, as far as the system
   * tells: such as {@code Fedora was killed by signal 9}; empty where none was.
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
   * Whether Fedora has ended by itself, or was killed, since the stack was started; false while it
   * is still to start. Its database may run on.
   */
  public boolean fedoraHasEnded() {
    return processes.fedoraHasEnded();
  }

  /** Role and number of each process that runs, such as {@code PostgreSQL (pid 4711)}. */
  public List<String> running() {
    return processes.running();
  }

  /** Whether the home is complete, so that the stack can be started. */
  public boolean isProvisioned() {
    return document().provisioned();
  }

  /** Fedora's base URL, such as {@code http://127.0.0.1:8080/fedora}; of the last start. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + document().session().httpPort() + "/fedora");
  }

  public String user() {
    return FedoraServer.ADMINISTRATOR;
  }

  /** File that holds the administrator's password and nothing else. */
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

  /** Every setting as used, {@code dimension.key} to value. */
  public Map<String, String> settings() {
    return document().plan().settings();
  }

  /** Longest literal that the triplestore keeps; {@link Integer#MAX_VALUE} if no limit is known. */
  public int literalLimitBytes() {
    return document().plan().literalLimitBytes();
  }

  /**
   * A connection to the database that takes the triples, or else to Fedora's own tables, as the
   * user that Fedora is to the database. Empty if the database runs inside Fedora.
   *
   * @throws SQLException if the database is not there, or does not let us in
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

  /** One value with what has the form of a secret masked; no stack's secrets are known to it. */
  public static String maskedByForm(String value) {
    return new Masking(List.of()).mask(value);
  }

  /** The logs that there are, as of {@link StackState#logs}. */
  public Map<String, Path> logs() {
    return state().logs();
  }
}
