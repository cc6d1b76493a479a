package org.fedometer.profiles.stack;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/**
 * One Fedora with its database and triplestore, in a home folder of its own. Made by {@link
 * Provisioner}, found again by {@link StackRegistry}. Its processes outlive the process that starts
 * them.
 *
 * <p>{@link #start} is called on one thread; {@link #stop} may be called on any, also while another
 * one is in {@code start}, which then fails. Everything else may be called on any thread.
 */
public final class Stack {

  private static final int ATTEMPTS = 4;

  /**
   * The longest that {@link #bringUp} may take where a stack has the time to start that is usual:
   * all is ended in vain until it is killed, the port is waited for, the database loses its own
   * port each time when it is almost there, and Fedora, whose port is given, has one attempt.
   */
  public static final Duration LONGEST_BRING_UP =
      FedoraServer.LONGEST_STOP
          .plus(PostgresServer.LONGEST_STOP) // that of MySQL is shorter
          .plus(Ports.PATIENCE)
          .plus(StackOptions.START_TIMEOUT.multipliedBy(ATTEMPTS))
          .plus(StackOptions.START_TIMEOUT);

  /** What stands for bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private static final Duration DATABASE_CONNECT = Duration.ofSeconds(5);
  private static final Duration DATABASE_ANSWER = Duration.ofSeconds(10);
  private static final Pattern JAR_VERSION =
      Pattern.compile("-(\\d[\\w.]*(?:-\\d+)?)(?:-jdbc\\d+)?\\.jar$");

  private final StackFolders folders;
  private final StackRegistry registry;

  /** Held while a process is started, while all are ended, and while any change is written down. */
  private final Object processes = new Object();

  private volatile StackDocument document;
  private volatile Map<String, String> environment = Map.of();
  private volatile boolean stopped;

  private Stack(StackFolders folders, StackRegistry registry, StackDocument document) {
    this.folders = folders;
    this.registry = registry;
    this.document = document;
  }

  static Optional<Stack> at(Path home, StackRegistry registry) throws IOException {
    StackFolders folders = new StackFolders(home);
    return StackDocument.read(folders.document())
        .map(document -> new Stack(folders, registry, document));
  }

  /**
   * Puts a Java agent into Fedora's JVM from the next start on, instead of the one that it had.
   *
   * @param agentOptions may be empty
   */
  public void useAgent(Path agentJar, String agentOptions) throws IOException {
    change(
        before -> {
          List<String> arguments = argumentsWithoutAgent(before);
          arguments.add(StackOptions.agentArgument(agentJar, agentOptions));
          return before.withJvmArguments(arguments);
        });
  }

  /** Whether Fedora runs, and was last started with this Java agent and these options of it. */
  public boolean runsWithAgent(Path agentJar, String agentOptions) {
    return fedoraPid().isPresent()
        && document
            .session()
            .command()
            .contains(StackOptions.agentArgument(agentJar, agentOptions));
  }

  /** Leaves the Java agent that it had out of Fedora's JVM from the next start on. */
  public void useNoAgent() throws IOException {
    change(before -> before.withJvmArguments(argumentsWithoutAgent(before)));
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
    change(before -> before.withHttpPort(port));
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
    if (!document.provisioned()) {
      throw new IllegalStateException(
          "the stack in " + home() + " was not provisioned to its end; provision it again");
    }
    Provisioner.Steps steps = new Provisioner.Steps(listener);
    try (HomeLock alone = lock(steps)) {
      if (isRunning()) {
        throw new ProvisioningException(
            ProvisioningStep.PREFLIGHT,
            "The stack in " + home() + " is running already; take it down first.",
            null);
      }
      int port = document.nextHttpPort();
      if (document.plan().httpPort() == 0) {
        Preflight.checkPortOfBefore(port, home());
      }
      startAlone(steps, port, true);
    }
  }

  private HomeLock lock(Provisioner.Steps steps) throws ProvisioningException {
    try {
      steps.begin(ProvisioningStep.PREFLIGHT);
      return registry.lock(home());
    } catch (IOException e) {
      throw steps.failure(e, null);
    } catch (InterruptedException e) {
      throw steps.interrupted(e);
    }
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
    Provisioner.Steps steps = new Provisioner.Steps(listener);
    try (HomeLock alone = lock(steps)) {
      if (missing().isEmpty()) {
        awaitAnswer(steps, logIn);
        return;
      }
      endFedora();
      int last = document.session().httpPort();
      int port = last != 0 && Ports.awaitFree(last) ? last : document.plan().httpPort();
      startAlone(steps, port, logIn);
    } catch (IOException e) {
      throw endAfter(steps.failure(e, null));
    } catch (InterruptedException e) {
      throw endAfter(steps.interrupted(e));
    }
  }

  /** Of a Fedora that runs, and may be about to come up. */
  private void awaitAnswer(Provisioner.Steps steps, boolean logIn) throws ProvisioningException {
    try {
      steps.begin(ProvisioningStep.START_FEDORA);
      FedoraServer server = new FedoraServer(folders, document);
      server.awaitUp(
          onRecord(FedoraServer.ROLE),
          LogLines.size(folders.consoleLog()),
          LogLines.size(folders.fedoraLog()));
      if (logIn) {
        steps.begin(ProvisioningStep.LOG_IN);
        server.logIn(secrets());
      }
      steps.end();
    } catch (ProvisioningException e) {
      throw endAfter(stopped ? takenDown(e.step()) : e);
    } catch (IOException e) {
      throw endAfter(steps.failure(e, folders.consoleLog()));
    } catch (InterruptedException e) {
      throw endAfter(steps.interrupted(e));
    }
  }

  /** The process that was started last, which may have ended. */
  private LinuxProcess onRecord(String role) {
    return document.session().processes().stream()
        .filter(process -> process.role().equals(role))
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  /** What is left of Fedora; the database stays, if it is known to run. */
  private void endFedora() throws IOException {
    synchronized (processes) {
      boolean withDatabase = missing().stream().allMatch(FedoraServer.ROLE::equals);
      for (LinuxProcess process : javaProcesses()) {
        if (withDatabase) {
          FedoraServer.stop(process);
        } else {
          FedoraServer.kill(process);
        }
      }
      if (!withDatabase) {
        for (LinuxProcess process : databaseProcesses()) {
          DatabaseServer.of(folders, document).orElseThrow().stop(process);
        }
      }
      change(
          before ->
              before.withProcesses(
                  before.session().processes().stream().filter(LinuxProcess::isAlive).toList()));
    }
  }

  /**
   * Which of the stack's processes do not run, by name: Fedora, and its database's server if it has
   * one of its own.
   */
  public List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (fedoraPid().isEmpty()) {
      missing.add(FedoraServer.ROLE);
    }
    DatabaseServer.of(folders, document)
        .map(DatabaseServer::role)
        .filter(role -> pidOf(role).isEmpty())
        .ifPresent(missing::add);
    return missing;
  }

  private void startAlone(Provisioner.Steps steps, int wantedPort, boolean logIn)
      throws ProvisioningException {
    try {
      Preflight.checkPort(wantedPort);
      registry.add(document.id(), home());
      Secrets secrets = secrets();
      Optional<ExternalDatabase> external =
          ExternalDatabase.of(document.plan().settings(), secrets.databasePassword());
      if (external.isPresent()) {
        boolean first = document.session().command().isEmpty();
        external.get().checkReached(first);
      }
      Optional<DatabaseServer> database = DatabaseServer.of(folders, document);
      if (database.isPresent()) {
        if (databasePid().isPresent()) {
          database.get().awaitReady(onRecord(database.get().role()), 0);
        } else {
          steps.begin(ProvisioningStep.START_DATABASE);
          startDatabase(database.get());
        }
      }
      startFedora(steps, secrets, wantedPort);
      if (logIn) {
        steps.begin(ProvisioningStep.LOG_IN);
        new FedoraServer(folders, document).logIn(secrets);
      }
      steps.end();
    } catch (ProvisioningException e) {
      throw endAfter(stopped ? takenDown(e.step()) : e);
    } catch (RuntimeException e) {
      endAfter(e);
      throw e;
    } catch (IOException e) {
      throw endAfter(steps.failure(e, folders.consoleLog()));
    } catch (InterruptedException e) {
      throw endAfter(steps.interrupted(e));
    }
  }

  /** The stack's passwords; that of an external database may have changed. */
  private Secrets secrets() throws IOException, ProvisioningException {
    Secrets secrets = Secrets.read(folders);
    if (document.setting("database.server").equals("external")) {
      Path file = Path.of(document.setting("database.passwordFile"));
      if (Files.exists(file)) {
        return secrets.withDatabasePassword(folders, ExternalDatabase.password(file));
      }
    }
    return secrets;
  }

  private void startDatabase(DatabaseServer server)
      throws IOException, InterruptedException, ProvisioningException {
    for (int attempt = 1; ; attempt++) {
      int port = Ports.free();
      long position = LogLines.size(server.log());
      try {
        LinuxProcess process;
        synchronized (processes) {
          refuseIfStopped(ProvisioningStep.START_DATABASE);
          process = server.launch(port);
          change(
              before -> before.withPorts(before.session().httpPort(), port).withProcess(process));
          addToRegistry();
        }
        server.awaitReady(process, position);
        return;
      } catch (ProvisioningException e) {
        if (attempt == ATTEMPTS || !server.lostItsPort(position)) {
          throw e;
        }
      }
    }
  }

  private void startFedora(Provisioner.Steps steps, Secrets secrets, int wanted)
      throws IOException, InterruptedException, ProvisioningException {
    keepEarlierFiles();
    for (int attempt = 1; ; attempt++) {
      steps.begin(ProvisioningStep.CONFIGURE);
      int port = wanted == 0 ? Ports.free() : wanted;
      synchronized (processes) {
        refuseIfStopped(ProvisioningStep.CONFIGURE); // perhaps its folder is deleted, too
        change(before -> before.withPorts(port, before.session().databasePort()));
      }
      new FedoraConfiguration(folders, document, secrets).apply();
      steps.begin(ProvisioningStep.START_FEDORA);
      FedoraServer server = new FedoraServer(folders, document);
      long consolePosition = LogLines.size(folders.consoleLog());
      long logPosition = LogLines.size(folders.fedoraLog());
      try {
        LinuxProcess process;
        synchronized (processes) {
          refuseIfStopped(ProvisioningStep.START_FEDORA);
          List<String> command = server.commandLine();
          process = server.launch(command, environment);
          change(before -> before.withCommand(command).withProcess(process));
          addToRegistry();
        }
        server.awaitUp(process, consolePosition, logPosition);
        return;
      } catch (ProvisioningException e) {
        if (!server.lostItsPort(consolePosition)) {
          throw e;
        }
        if (wanted != 0) {
          throw new ProvisioningException(
              ProvisioningStep.START_FEDORA,
              ("Port %d of 127.0.0.1 was taken while Fedora started; choose another one, or 0"
                      + " for any free one.")
                  .formatted(wanted),
              folders.consoleLog(),
              e);
        }
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** What the JVM would write over that comes now: all else it adds to, or moves aside. */
  private void keepEarlierFiles() throws IOException {
    if (new JvmArguments(document).overwritesGcLog()) {
      moveAside(folders.gcLog(), number -> folders.gcLogPart(number));
    }
    moveAside(folders.flightRecording(), number -> folders.earlierFlightRecording(number));
  }

  private static void moveAside(Path file, IntFunction<Path> numbered) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    int number = 0;
    while (number < StackFolders.MOST_PARTS - 1 && Files.exists(numbered.apply(number))) {
      number++;
    }
    Files.move(file, numbered.apply(number), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Again, since whoever took the stack down meanwhile has taken it out. */
  private void addToRegistry() throws IOException {
    registry.add(document.id(), home());
  }

  private void refuseIfStopped(ProvisioningStep step) throws ProvisioningException {
    if (stopped) {
      throw takenDown(step);
    }
  }

  private ProvisioningException takenDown(ProvisioningStep step) {
    return new ProvisioningException(
        step, "The stack in " + home() + " was taken down while it started.", null);
  }

  private <E extends Exception> E endAfter(E failure) {
    try {
      endProcesses();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  /** One after the other: what one thread writes down is not to undo what another one did. */
  private void change(UnaryOperator<StackDocument> change) throws IOException {
    synchronized (processes) {
      document = change.apply(document);
      document.write(folders.document());
    }
  }

  /**
   * Ends Fedora, orderly, then the database, waiting for each and killing what does not end in
   * time. Keeps the files. Calling it again does nothing. Interrupting the thread does not cut it
   * short.
   *
   * @return what was ended, such as {@code Fedora (pid 4711)}
   */
  public List<String> stop() throws IOException {
    stopped = true;
    return endProcesses();
  }

  private List<String> endProcesses() throws IOException {
    synchronized (processes) {
      List<LinuxProcess> all = new ArrayList<>();
      for (LinuxProcess process : javaProcesses()) {
        FedoraServer.stop(process);
        all.add(process);
      }
      Optional<DatabaseServer> database = DatabaseServer.of(folders, document);
      for (LinuxProcess process : databaseProcesses()) {
        database.orElseThrow().stop(process);
        all.add(process);
      }
      List<LinuxProcess> left = all.stream().filter(LinuxProcess::isAlive).toList();
      if (!left.isEmpty()) {
        throw new IOException(
            "Could not end " + names(left) + "; end it as the user who owns it, or as root.");
      }
      if (Files.exists(folders.document())) {
        change(before -> before.withProcesses(List.of()));
      }
      registry.remove(document.id());
      return names(all);
    }
  }

  private static List<String> names(List<LinuxProcess> processes) {
    return processes.stream()
        .map(process -> process.role() + " (pid " + process.pid() + ")")
        .toList();
  }

  /**
   * Ends everything and deletes the home; stack.json last, so that what a killed call leaves can be
   * found and deleted.
   */
  public void delete() throws IOException {
    stop();
    DatabaseFolders.of(folders, document).delete();
    StackFiles.deleteTree(home(), folders.document());
  }

  /** What is done with a stack's files and its database while Fedora is down. */
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
      Provisioner.Steps steps = new Provisioner.Steps(listener);
      steps.begin(ProvisioningStep.PREFLIGHT);
      if (!javaProcesses().isEmpty()) {
        throw new ProvisioningException(
            ProvisioningStep.PREFLIGHT,
            "%s runs on %s; end it first, with 'fedometer down --home %s'."
                .formatted(String.join(", ", names(javaProcesses())), home(), home()),
            null);
      }
      if (!document.provisioned() || document.session().httpPort() == 0) {
        throw new ProvisioningException(
            ProvisioningStep.PREFLIGHT,
            "The Fedora in " + home() + " was never started; there is nothing to look at.",
            null);
      }
      endProcesses();
      try {
        Secrets secrets = secrets();
        Optional<DatabaseServer> database = DatabaseServer.of(folders, document);
        if (database.isPresent()) {
          steps.begin(ProvisioningStep.START_DATABASE);
          startDatabase(database.get());
        }
        steps.begin(ProvisioningStep.CONFIGURE);
        new FedoraConfiguration(folders, document, secrets).apply();
        steps.end();
        return work.run(folders, document, secrets);
      } finally {
        endProcesses();
      }
    }
  }

  /** Whether any process of the stack is alive. */
  public boolean isRunning() {
    return !javaProcesses().isEmpty() || !databaseProcesses().isEmpty();
  }

  /**
   * Fedora's JVM and, if the tool was killed meanwhile, the installer's. Looked up both in
   * stack.json and among all processes, since the tool may have been killed between the start of a
   * process and its entry.
   */
  private List<LinuxProcess> javaProcesses() {
    return alive(
        FedoraServer.ROLE,
        LinuxProcess.withArguments(FedoraServer.ROLE, FedoraServer.marker(folders)));
  }

  private List<LinuxProcess> databaseProcesses() {
    return DatabaseServer.of(folders, document)
        .map(server -> alive(server.role(), server.processes()))
        .orElse(List.of());
  }

  private List<LinuxProcess> alive(String role, List<LinuxProcess> found) {
    List<LinuxProcess> alive = new ArrayList<>(found);
    for (LinuxProcess process : document.session().processes()) {
      if (process.role().equals(role)
          && !alive.contains(process)
          && process.isAlive()
          && process.mayBeNamedBy(folders.document())) {
        alive.add(process);
      }
    }
    return alive;
  }

  /** Whether the home is complete, so that the stack can be started. */
  public boolean isProvisioned() {
    return document.provisioned();
  }

  /** Fedora's base URL, such as {@code http://127.0.0.1:8080/fedora}; of the last start. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + document.session().httpPort() + "/fedora");
  }

  /** The administrator's name. */
  public String user() {
    return FedoraServer.ADMINISTRATOR;
  }

  /** File that holds the administrator's password and nothing else. */
  public Path passwordFile() {
    return folders.adminPassword();
  }

  /** Number of Fedora's process, if it runs. */
  public OptionalLong fedoraPid() {
    return pidOf(FedoraServer.ROLE);
  }

  /** Number of the database server's process, if there is one and it runs. */
  public OptionalLong databasePid() {
    return DatabaseServer.of(folders, document)
        .map(server -> pidOf(server.role()))
        .orElse(OptionalLong.empty());
  }

  private OptionalLong pidOf(String role) {
    return document.session().processes().stream()
        .filter(process -> process.role().equals(role) && process.isAlive())
        .mapToLong(LinuxProcess::pid)
        .findFirst();
  }

  /** The folder that holds everything of the stack. */
  public Path home() {
    return folders.home();
  }

  /** Name of its profile. */
  public String profileName() {
    return document.plan().profile();
  }

  /** Dimension to choice, as text. */
  public Map<String, String> choices() {
    return document.plan().choices();
  }

  /** Every setting as used, {@code dimension.key} to value. */
  public Map<String, String> settings() {
    return document.plan().settings();
  }

  /** Longest literal that the triplestore keeps; {@link Integer#MAX_VALUE} if no limit is known. */
  public int literalLimitBytes() {
    return document.plan().literalLimitBytes();
  }

  /** Fedora's whole command line as last started, with secrets masked; empty before. */
  public List<String> command() throws IOException {
    Masking masking = masking();
    return document.session().command().stream().map(masking::mask).toList();
  }

  /** Fedora and, if it has one of its own, its database server, as far as they run. */
  public List<StackProcess> processes() throws IOException {
    Masking masking = masking();
    return document.session().processes().stream()
        .filter(LinuxProcess::isAlive)
        .map(
            process ->
                new StackProcess(
                    process.role(),
                    process.pid(),
                    process.command().stream().map(masking::mask).toList()))
        .toList();
  }

  /** The files from Maven repositories that the stack was made of. */
  public List<StackArtifact> artifacts() {
    return document.artifacts();
  }

  /** Folder of the Java that Fedora runs on. */
  public Path javaHome() {
    return Path.of(document.plan().javaHome());
  }

  /** The database server's port; 0 if the stack has none of its own. */
  public int databasePort() {
    return document.session().databasePort();
  }

  /**
   * Folders outside of the home where the profile has put files of the database, by what they hold:
   * {@code data}, {@code wal}.
   */
  public Map<String, Path> foldersElsewhere() {
    DatabaseFolders files = DatabaseFolders.of(folders, document);
    Map<String, Path> elsewhere = new LinkedHashMap<>();
    elsewhere.put("data", files.data());
    elsewhere.put("wal", files.wal());
    elsewhere.values().removeIf(folder -> folder == null || folder.startsWith(home()));
    return elsewhere;
  }

  /**
   * A connection to the database that takes the triples, or else to Fedora's own tables, as the
   * user that Fedora is to the database. Empty if the database runs inside Fedora.
   *
   * @throws SQLException if the database is not there, or does not let us in
   */
  public Optional<Connection> connectToDatabase() throws IOException, SQLException {
    if (document.setting("database.product").equals("derby")) {
      return Optional.empty();
    }
    DatabaseAccess access = DatabaseAccess.of(folders, document, Secrets.read(folders));
    boolean triples = document.setting("triplestore.store").equals("mptstore");
    return Optional.of(
        DatabaseConnection.open(
            triples ? access.triplesUrl() : access.fedoraUrl(),
            access.user(),
            access.password(),
            DATABASE_CONNECT,
            DATABASE_ANSWER));
  }

  /**
   * The configuration files that there are: all of Fedora's, its policies, Tomcat's, the database's
   * and the stack's own, by a path that is unique among them, such as {@code
   * spring/akubra-llstore.xml} or {@code tomcat/server.xml}. They hold passwords: ship {@link
   * #masked} instead of the file.
   */
  public Map<String, Path> configurationFiles() throws IOException {
    Map<String, Path> files = new TreeMap<>();
    files.put("fedora.jfc", folders.flightRecordingSettings());
    files.put("install.properties", folders.installProperties());
    DatabaseServer.of(folders, document).stream()
        .flatMap(server -> server.configurationFiles().stream())
        .forEach(file -> files.put(file.getFileName().toString(), file));
    files.values().removeIf(path -> !Files.isRegularFile(path));
    new ConfigurationFiles("", folders.fedoraConfiguration()).addTo(files);
    new ConfigurationFiles("tomcat/", folders.tomcat().resolve("conf")).addTo(files);
    new ConfigurationFiles("policies/", folders.policies()).addTo(files);
    return files;
  }

  /** The content of a configuration file or log with every secret masked. */
  public String masked(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.UTF_8);
    // Somebody's comments in another encoding must not cost the run its record.
    boolean unicode = text.indexOf(REPLACEMENT) < 0;
    return masking().mask(unicode ? text : new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** One value, such as an argument, with every secret masked. */
  public String maskedText(String value) throws IOException {
    return masking().mask(value);
  }

  /** One value with what has the form of a secret masked; no stack's secrets are known to it. */
  public static String maskedByForm(String value) {
    return new Masking(List.of()).mask(value);
  }

  private Masking masking() throws IOException {
    return new Masking(Secrets.existing(folders));
  }

  /** The logs that there are, by a name that is unique among them and safe in a path. */
  public Map<String, Path> logs() {
    Map<String, Path> logs = new LinkedHashMap<>();
    logs.put("fedora.log", folders.fedoraLog());
    logs.put("fedora-console.log", folders.consoleLog());
    folders.gcLogParts().forEach(file -> logs.put(file.getFileName().toString(), file));
    DatabaseServer.of(folders, document)
        .ifPresent(server -> logs.put(server.log().getFileName().toString(), server.log()));
    logs.put("derby.log", folders.derbyLog());
    logs.put("install.log", folders.installLog());
    logs.values().removeIf(path -> !Files.isRegularFile(path));
    return logs;
  }

  /**
   * What Java Flight Recorder has recorded, one for each start of Fedora that ended in order, by a
   * name as of {@link #logs}; complete when Fedora has ended. It holds no environment, system
   * properties or command lines.
   */
  public Map<String, Path> recordings() {
    Map<String, Path> recordings = new LinkedHashMap<>();
    folders.flightRecordings().forEach(file -> recordings.put(file.getFileName().toString(), file));
    recordings.values().removeIf(path -> !Files.isRegularFile(path));
    return recordings;
  }

  /** What the stack is made of, part to version, such as {@code tomcat} to {@code 7.0.55}. */
  public Map<String, String> versions() throws IOException {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("fedora", libraryVersion("fcrepo-server"));
    versions.put("tomcat", tomcatVersion());
    Optional<InstalledJava> java = InstalledJava.in(Path.of(document.plan().javaHome()));
    versions.put("java", java.map(InstalledJava::version).orElse("unknown"));
    versions.put("javaVendor", java.map(InstalledJava::vendor).orElse("unknown"));
    versions.put(
        "triplestore",
        switch (document.setting("triplestore.store")) {
          case "mptstore" -> "MPTStore " + libraryVersion("mptstore");
          case "mulgara" -> "Mulgara " + libraryVersion("mulgara-core");
          default -> "none";
        });
    String product = document.setting("database.product");
    versions.put(
        "database",
        document.database() != null
            ? document.database().version()
            : product.equals("derby") ? "Derby " + libraryVersion("derby") : product);
    if (!product.equals("derby")) {
      versions.put(
          "databaseDriver",
          libraryVersion(product.equals("postgresql") ? "postgresql" : "mysql-connector-java"));
    }
    return versions;
  }

  private String libraryVersion(String name) throws IOException {
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(folders.webapp().resolve("WEB-INF/lib"), name + "-[0-9]*.jar")) {
      for (Path jar : jars) {
        Matcher version = JAR_VERSION.matcher(jar.getFileName().toString());
        if (version.find()) {
          return version.group(1);
        }
      }
    }
    return "unknown";
  }

  private String tomcatVersion() throws IOException {
    try (JarFile jar = new JarFile(folders.tomcat().resolve("lib/catalina.jar").toFile())) {
      ZipEntry entry = jar.getEntry("org/apache/catalina/util/ServerInfo.properties");
      Properties properties = new Properties();
      properties.load(jar.getInputStream(Objects.requireNonNull(entry)));
      return properties.getProperty("server.info", "unknown").replaceFirst("^Apache Tomcat/", "");
    }
  }
}
