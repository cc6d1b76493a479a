package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.SettingCatalogue;
import org.fedometer.profiles.SettingCatalogue.Scope;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.java.InstalledJava;
import org.fedometer.profiles.stack.program.Command;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.LogLines;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningStep;

/** The PostgreSQL server of a stack. */
final class PostgresServer extends DatabaseServer {

  private static final String ROLE = "PostgreSQL";
  private static final String SUPERUSER = "fedometer";

  /** Folder with one subfolder for each PostgreSQL version of the distribution. */
  private static final Path DISTRIBUTION = Path.of("/usr/lib/postgresql");

  private final StackDocument.Installation installation;

  PostgresServer(StackFolders folders, StackDocument stack) {
    this(folders, stack, stack.database());
  }

  private PostgresServer(
      StackFolders folders, StackDocument stack, StackDocument.Installation installation) {
    super(ROLE, folders, stack);
    this.installation = installation;
  }

  @Override
  String platform() throws ProvisioningException {
    return PostgresBinaries.platform(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  @Override
  public void checkPrograms() throws IOException, ProvisioningException {
    if (binaries().isEmpty()) {
      installed();
    }
  }

  @Override
  public StackDocument.Installation create(Secrets secrets, Path jar, Path cache)
      throws IOException, InterruptedException, ProvisioningException {
    Path programs = jar == null ? installed() : PostgresBinaries.unpack(jar, cache);
    ProvisioningException failure = null;
    for (List<String> way : PostgresUser.commandPrefixes()) {
      StackDocument.Installation tried =
          new StackDocument.Installation(programs.toString(), way, versionOf(programs));
      PostgresServer server = new PostgresServer(folders, stack, tried);
      try {
        server.initialise();
      } catch (ProvisioningException e) {
        files.delete();
        if (failure == null) {
          failure = e;
        }
        continue;
      }
      server.createDatabases(secrets);
      return tried;
    }
    throw failure != null
        ? failure
        : new ProvisioningException(
            ProvisioningStep.CREATE_DATABASE,
            "PostgreSQL does not run as root, and this machine has neither unshare, setpriv nor"
                + " runuser to become another user; run Fedometer as a normal user.",
            null);
  }

  /**
   * Returns the folder above {@code bin/postgres} that the profile names, or the newest one of the
   * system.
   */
  private Path installed() throws IOException, ProvisioningException {
    String programs = stack.setting("database.programs");
    List<Path> candidates = new ArrayList<>();
    if (!programs.equals("system")) {
      candidates.add(Path.of(programs));
      if (Path.of(programs).endsWith("bin")) {
        candidates.add(Path.of(programs).getParent());
      }
    } else if (Files.isDirectory(DISTRIBUTION)) {
      try (Stream<Path> versions = Files.list(DISTRIBUTION)) {
        candidates.addAll(
            versions
                .sorted(
                    Comparator.comparingInt(
                            (Path version) ->
                                InstalledJava.featureOf(version.getFileName().toString()))
                        .reversed())
                .toList());
      }
    }
    for (Path candidate : candidates) {
      if (Files.isExecutable(candidate.resolve("bin/postgres"))
          && Files.isExecutable(candidate.resolve("bin/initdb"))) {
        return candidate;
      }
    }
    throw ProvisioningException.preflight(
        "There is no PostgreSQL server in %s; install one (Debian and Ubuntu: apt-get install postgresql), name the folder above bin/postgres, or take those from Maven with --set database.programs=binaries.",
        programs.equals("system") ? DISTRIBUTION : programs);
  }

  private String versionOf(Path programs) throws IOException, InterruptedException {
    return ROLE
        + " "
        + Command.output(List.of(programs.resolve("bin/postgres").toString(), "--version"))
            .replaceFirst("^\\D*([\\d.]+).*$", "$1");
  }

  private void initialise() throws IOException, InterruptedException, ProvisioningException {
    files.createParents();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                // The driver in Fedora's war (9.3) supports MD5 but not SCRAM.
                "--auth=md5",
                "--encoding=UTF8",
                "--locale=C",
                "--username=" + SUPERUSER,
                "--pwfile=" + folders.databaseSuperuserPassword(),
                "--no-sync",
                "-D",
                files.data().toString()));
    if (files.wal() != null) {
      arguments.add("--waldir=" + files.wal());
    }
    runToEnd(
        "initialise PostgreSQL's data folder",
        "",
        commandLine("initdb", arguments.toArray(String[]::new)));
  }

  /**
   * Configures a new cluster and creates both databases in single-user mode. No port is open, and
   * the password passes through a pipe.
   */
  private void createDatabases(Secrets secrets)
      throws IOException, InterruptedException, ProvisioningException {
    Path configurationFile = files.data().resolve("postgresql-fedometer.conf");
    Files.writeString(configurationFile, configuration());
    Files.writeString(
        files.data().resolve("postgresql.conf"),
        "\ninclude 'postgresql-fedometer.conf'\n",
        StandardOpenOption.APPEND);
    long before = LogLines.size(folders.installLog());
    // SQL_ASCII for the triples, because MPTStore stores bytes that may not be UTF-8.
    runToEnd(
        "create the databases",
        """
        CREATE ROLE %1$s LOGIN PASSWORD '%4$s';
        CREATE DATABASE %2$s OWNER %1$s ENCODING 'UTF8' TEMPLATE template0;
        CREATE DATABASE %3$s OWNER %1$s ENCODING 'SQL_ASCII' TEMPLATE template0;
        """
            .formatted(
                DatabaseAccess.USER,
                DatabaseAccess.FEDORA_DATABASE,
                DatabaseAccess.TRIPLES_DATABASE,
                secrets.databasePassword()),
        commandLine(
            "postgres",
            "--single",
            // Keeps the password of a failed statement out of the log.
            "-c",
            "log_min_error_statement=panic",
            "-D",
            files.data().toString(),
            "postgres"));
    // Single-user mode continues after an error and ends with status 0.
    if (LogLines.contains(folders.installLog(), before, "ERROR:")) {
      throw creationFailed("create the databases", before);
    }
  }

  private String configuration() {
    return SettingCatalogue.keys(Dimension.DATABASE, Scope.SERVER, Scope.POSTGRESQL).stream()
        .map(name -> name + " = " + stack.setting("database." + name) + "\n")
        .collect(
            Collectors.joining(
                "",
                "# Written by Fedometer from the tuning profile.\n",
                "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"));
  }

  private List<String> commandLine(String program, String... arguments) {
    List<String> line = new ArrayList<>(installation.prefix());
    line.add(Path.of(installation.programs(), "bin", program).toString());
    line.addAll(List.of(arguments));
    return line;
  }

  @Override
  public LinuxProcess launch(int port) throws IOException, ProvisioningException {
    awaitOrphans();
    removeStaleLock();
    return super.launch(port);
  }

  @Override
  List<String> commandLine(int port) {
    return commandLine("postgres", "-D", files.data().toString(), "-c", "port=" + port);
  }

  /**
   * Waits for the children of a killed server, each of which ends after its current work.
   * PostgreSQL refuses to start while one is running.
   */
  private void awaitOrphans() throws IOException {
    if (!processes().isEmpty()) {
      return;
    }
    for (LinuxProcess orphan : LinuxProcess.inFolder("child of " + ROLE, files.data())) {
      if (!orphan.awaitEnd(FORCED_STOP_TIMEOUT)) {
        orphan.signal("KILL");
        orphan.awaitEnd(FORCED_STOP_TIMEOUT);
      }
    }
  }

  /**
   * Removes a misleading lock file of a killed server. After a power cut or in a container, its
   * process number may belong to an unrelated process, or to the server's unreaped remains.
   * PostgreSQL would take either for a server. A lock file whose process is gone is left to
   * PostgreSQL, which uses it to detect live children of the old server.
   */
  private void removeStaleLock() throws IOException {
    Path lock = lockFile();
    if (Files.exists(lock) && processes().isEmpty()) {
      long pid =
          Files.readString(lock)
              .lines()
              .findFirst()
              .filter(line -> line.strip().matches("\\d{1,18}"))
              .map(line -> Long.parseLong(line.strip()))
              .orElse(0L);
      if (pid == 0 || Files.exists(Path.of("/proc", Long.toString(pid)))) {
        Files.delete(lock);
      }
    }
  }

  private Path lockFile() {
    return files.data().resolve("postmaster.pid");
  }

  @Override
  public void awaitReady(LinuxProcess server)
      throws IOException, InterruptedException, ProvisioningException {
    awaitReady(server, LogLines.size(log()));
  }

  @Override
  public boolean lostItsPort(long logPosition) throws IOException {
    return LogLines.contains(log(), logPosition, "could not bind");
  }

  /**
   * Returns whether the server's lock file reports it as ready: the first line is its process, the
   * last its state.
   */
  @Override
  boolean isReady(LinuxProcess server, long logPosition) throws IOException {
    List<String> lines;
    try {
      lines = Files.readString(lockFile()).lines().toList();
    } catch (NoSuchFileException e) {
      // Not yet or no longer there: a server that has lost its port creates and deletes one.
      return false;
    }
    return lines.size() >= 8
        && lines.get(0).strip().equals(Long.toString(server.pid()))
        && lines.get(7).strip().equals("ready");
  }

  @Override
  public List<LinuxProcess> processes() {
    return LinuxProcess.withArguments(ROLE, "-D", files.data().toString());
  }

  @Override
  public List<Path> configurationFiles() {
    return List.of(
        files.data().resolve("postgresql.conf"),
        files.data().resolve("postgresql-fedometer.conf"),
        files.data().resolve("postgresql.auto.conf"),
        files.data().resolve("pg_hba.conf"));
  }

  /** Stops the server with a fast shutdown, else an immediate one, else by killing it. */
  @Override
  public void stop(LinuxProcess server) throws IOException {
    List<LinuxProcess> children = server.descendants();
    server.signal("INT");
    if (!server.awaitEnd(ORDERLY_STOP_TIMEOUT)) {
      server.signal("QUIT");
      if (!server.awaitEnd(FORCED_STOP_TIMEOUT)) {
        server.signal("KILL");
        server.awaitEnd(FORCED_STOP_TIMEOUT);
      }
    }
    for (LinuxProcess child : children) {
      // Children end by themselves when the server is gone; a hanging one must not outlive it.
      if (!child.awaitEnd(FORCED_STOP_TIMEOUT)) {
        child.signal("KILL");
        child.awaitEnd(FORCED_STOP_TIMEOUT);
      }
    }
  }
}
