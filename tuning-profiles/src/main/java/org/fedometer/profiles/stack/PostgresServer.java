package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The PostgreSQL server of one stack: a real one, as a process of its own that outlives the tool.
 * Used by the provisioner and by {@link Stack} on their thread.
 */
final class PostgresServer {

  /** Role that owns both databases and as which Fedora connects. */
  static final String USER = "fedora";

  /** Fedora's own tables. */
  static final String FEDORA_DATABASE = "fedora";

  /** MPTStore's tables; SQL_ASCII, because MPTStore stores bytes that need not be UTF-8. */
  static final String TRIPLES_DATABASE = "triples";

  /** What the process is called in messages and in stack.json. */
  static final String ROLE = "PostgreSQL";

  private static final String SUPERUSER = "fedometer";
  private static final Duration INIT_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration FAST_STOP = Duration.ofSeconds(30);
  private static final Duration IMMEDIATE_STOP = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final List<String> SETTINGS =
      List.of("max_connections", "shared_buffers", "fsync", "synchronous_commit");

  private final StackFolders folders;
  private final StackDocument.Postgresql installation;

  PostgresServer(StackFolders folders, StackDocument.Postgresql installation) {
    this.folders = folders;
    this.installation = installation;
  }

  /** Makes an empty cluster. */
  void initialise() throws IOException, InterruptedException, ProvisioningException {
    Files.createDirectories(folders.postgresql().getParent());
    runToEnd(
        "initialise PostgreSQL's data folder",
        "",
        "initdb",
        // The driver in Fedora's war (9.3) knows MD5 but not SCRAM.
        "--auth=md5",
        "--encoding=UTF8",
        "--locale=C",
        "--username=" + SUPERUSER,
        "--pwfile=" + folders.databaseSuperuserPassword(),
        "--no-instructions",
        "--no-sync",
        "-D",
        folders.postgresql().toString());
  }

  /**
   * Configures a new cluster and makes the two databases, in single-user mode: no port is open, and
   * the password goes through a pipe.
   */
  void createDatabases(StackDocument stack, Secrets secrets)
      throws IOException, InterruptedException, ProvisioningException {
    Path own = folders.postgresql().resolve("fedometer.conf");
    Files.writeString(own, configuration(stack));
    Files.writeString(
        folders.postgresql().resolve("postgresql.conf"),
        "\ninclude 'fedometer.conf'\n",
        StandardOpenOption.APPEND);
    long before = LogLines.size(folders.installLog());
    runToEnd(
        "create the databases",
        """
        CREATE ROLE %1$s LOGIN PASSWORD '%4$s';
        CREATE DATABASE %2$s OWNER %1$s ENCODING 'UTF8' TEMPLATE template0;
        CREATE DATABASE %3$s OWNER %1$s ENCODING 'SQL_ASCII' TEMPLATE template0;
        """
            .formatted(USER, FEDORA_DATABASE, TRIPLES_DATABASE, secrets.databasePassword()),
        "postgres",
        "--single",
        // A failed statement must not be logged with its password.
        "-c",
        "log_min_error_statement=panic",
        "-D",
        folders.postgresql().toString(),
        "postgres");
    // Single-user mode goes on after an error and ends with status 0.
    if (LogLines.contains(folders.installLog(), before, "ERROR:")) {
      throw failure("create the databases", before);
    }
  }

  private static String configuration(StackDocument stack) {
    return SETTINGS.stream()
        .map(name -> name + " = " + stack.setting("database." + name) + "\n")
        .collect(
            Collectors.joining(
                "",
                "# Written by Fedometer from the tuning profile.\n",
                "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n"));
  }

  private void runToEnd(String what, String input, String program, String... arguments)
      throws IOException, InterruptedException, ProvisioningException {
    long before = LogLines.size(folders.installLog());
    int status =
        new Command(commandLine(program, arguments), folders.home(), folders.installLog())
            .run(input, INIT_TIMEOUT);
    if (status != 0) {
      throw failure(what, before);
    }
  }

  private ProvisioningException failure(String what, long logPosition) throws IOException {
    String line =
        LogLines.firstTelling(folders.installLog(), logPosition).orElse("its log does not say why");
    return new ProvisioningException(
        ProvisioningStep.CREATE_DATABASE, "Could not " + what + ": " + line, folders.installLog());
  }

  private List<String> commandLine(String program, String... arguments) {
    List<String> line = new ArrayList<>(installation.prefix());
    line.add(Path.of(installation.binaries(), "bin", program).toString());
    line.addAll(List.of(arguments));
    return line;
  }

  /** Starts the server; it is not yet ready when this returns. */
  LinuxProcess launch(int port) throws IOException, ProvisioningException {
    long before = LogLines.size(folders.databaseLog());
    Process process =
        new Command(
                commandLine(
                    "postgres", "-D", folders.postgresql().toString(), "-c", "port=" + port),
                folders.home(),
                folders.databaseLog())
            .startDetached(Map.of("LC_ALL", "C"));
    return LinuxProcess.of(ROLE, process.pid()).orElseThrow(() -> endedAtOnce(before));
  }

  /** Waits until the server takes connections. */
  void awaitReady(LinuxProcess server, long logPosition)
      throws IOException, InterruptedException, ProvisioningException {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    while (!isReady(server)) {
      if (!server.isAlive()) {
        throw endedAtOnce(logPosition);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new ProvisioningException(
            ProvisioningStep.START_DATABASE,
            "PostgreSQL did not take connections within " + START_TIMEOUT.toSeconds() + " s.",
            folders.databaseLog());
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Whether the end of a server was a lost race for its port. */
  boolean lostItsPort(long logPosition) throws IOException {
    return LogLines.contains(folders.databaseLog(), logPosition, "could not bind");
  }

  private ProvisioningException endedAtOnce(long logPosition) {
    String line;
    try {
      line = LogLines.firstTelling(folders.databaseLog(), logPosition).orElse("no reason given");
    } catch (IOException e) {
      line = e.toString();
    }
    return new ProvisioningException(
        ProvisioningStep.START_DATABASE,
        "PostgreSQL ended right after its start: " + line,
        folders.databaseLog());
  }

  /** The server itself says so in its lock file: first line its process, last line its state. */
  private boolean isReady(LinuxProcess server) throws IOException {
    Path lock = folders.postgresql().resolve("postmaster.pid");
    if (!Files.exists(lock)) {
      return false;
    }
    List<String> lines = Files.readString(lock).lines().toList();
    return lines.size() >= 8
        && lines.get(0).strip().equals(Long.toString(server.pid()))
        && lines.get(7).strip().equals("ready");
  }

  /** Ends a server of this kind: fast, else immediate, else killed with all its children. */
  static void stop(LinuxProcess server) throws IOException {
    List<LinuxProcess> children = server.descendants();
    server.signal("INT");
    if (!server.awaitEnd(FAST_STOP)) {
      server.signal("QUIT");
      if (!server.awaitEnd(IMMEDIATE_STOP)) {
        server.signal("KILL");
        server.awaitEnd(IMMEDIATE_STOP);
      }
    }
    for (LinuxProcess child : children) {
      // They end by themselves when the server is gone; a stuck one must not outlive it.
      if (!child.awaitEnd(IMMEDIATE_STOP)) {
        child.signal("KILL");
        child.awaitEnd(IMMEDIATE_STOP);
      }
    }
  }
}
