package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.SettingCatalogue;
import org.fedometer.profiles.SettingCatalogue.Scope;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.Command;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.LogLines;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.fedometer.profiles.stack.program.StackFiles;
import org.fedometer.profiles.stack.program.UnpackedPrograms;
import org.fedometer.wire.disk.Durable;

/** The MySQL or MariaDB server of a stack. */
final class MySqlServer extends DatabaseServer {

  /** Timeout for the greeting, which a ready server sends at once. */
  private static final int GREETING_MILLIS = 1_000;

  /** Log text of a server that has finished all else, including the statements of --init-file. */
  private static final String READY = "ready for connections";

  MySqlServer(String role, StackFolders folders, StackDocument stack) {
    super(role, folders, stack);
  }

  @Override
  String platform() throws ProvisioningException {
    if (!List.of("amd64", "x86_64").contains(System.getProperty("os.arch"))) {
      throw ProvisioningException.preflight(
          "Binaries of %s exist for Linux on amd64 only, not for %s; take the installed"
              + " ones with --set database.programs=system, or a profile with another database.",
          role(), System.getProperty("os.arch"));
    }
    return "linux-amd64";
  }

  @Override
  public void checkPrograms() throws IOException, InterruptedException, ProvisioningException {
    if (binaries().isEmpty()) {
      MySqlPrograms.installed(stack.setting("database.programs"));
    }
  }

  // ---- creation ----

  @Override
  public StackDocument.Installation create(Secrets secrets, Path jar, Path cache)
      throws IOException, InterruptedException, ProvisioningException {
    MySqlPrograms programs =
        jar == null
            ? MySqlPrograms.installed(stack.setting("database.programs"))
            : MySqlPrograms.unpacked(product(), jar, cache);
    files.create();
    Durable.createDirectories(configuration().getParent());
    StackFiles.writePrivately(configuration(), configurationOf(programs));
    systemTables(programs);
    createDatabases(programs, secrets);
    return new StackDocument.Installation(
        programs.server().toString(), List.of(), role() + " " + programs.version());
  }

  private Path configuration() {
    return folders.database(product() + ".cnf");
  }

  private String configurationOf(MySqlPrograms programs) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# Written by Fedometer from the tuning profile.");
    lines.add("[mysqld]");
    lines.add("basedir=" + programs.base());
    lines.add("datadir=" + files.data());
    lines.add("lc-messages-dir=" + programs.messages());
    // Relative to datadir, because an absolute path is often too long for a socket.
    lines.add("socket=server.sock");
    lines.add("pid-file=server.pid");
    lines.add("bind-address=127.0.0.1");
    lines.add("skip-name-resolve");
    lines.add("character-set-server=utf8");
    lines.add("collation-server=utf8_bin");
    lines.add("default-storage-engine=InnoDB");
    lines.add("innodb_file_per_table=1");
    lines.add("max_allowed_packet=64M");
    if ((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0) {
      // The server otherwise refuses to run as root.
      lines.add("user=root");
    }
    if (files.wal() != null) {
      lines.add("innodb_log_group_home_dir=" + files.wal());
    }
    for (String setting : SettingCatalogue.keys(Dimension.DATABASE, Scope.SERVER, Scope.INNODB)) {
      lines.add(setting + "=" + serverValue(stack.setting("database." + setting)));
    }
    return String.join("\n", lines) + "\n";
  }

  /** Returns on and off as digits, because MySQL 5.5 accepts only digits. */
  private static String serverValue(String value) {
    return switch (value) {
      case "on" -> "1";
      case "off" -> "0";
      default -> value;
    };
  }

  private void systemTables(MySqlPrograms programs)
      throws IOException, InterruptedException, ProvisioningException {
    if (programs.initialData() != null) {
      try (InputStream archive = Files.newInputStream(programs.initialData())) {
        UnpackedPrograms.unzip(
            archive, files.data(), name -> name.startsWith("META-INF/") ? null : name);
      }
      return;
    }
    StringBuilder statements =
        // Each statement ends with its line. The first statements come from the server's own
        // script.
        new StringBuilder("create database mysql;\nuse mysql;\nSET @auth_root_socket=NULL;\n");
    for (Path script : programs.systemTables()) {
      statements.append(Files.readString(script, StandardCharsets.UTF_8)).append('\n');
    }
    runToEnd(
        "create " + role() + "'s system tables",
        statements.toString(),
        commandLine(programs.server(), "--bootstrap"));
  }

  /**
   * Starts the server briefly without a port. The password passes through a file that only its
   * owner may read and that is deleted afterwards.
   */
  private void createDatabases(MySqlPrograms programs, Secrets secrets)
      throws IOException, InterruptedException, ProvisioningException {
    String account = "'" + DatabaseAccess.USER + "'@'127.0.0.1'";
    List<String> statements = new ArrayList<>();
    for (String database :
        List.of(DatabaseAccess.FEDORA_DATABASE, DatabaseAccess.TRIPLES_DATABASE)) {
      statements.add("CREATE DATABASE " + database + " CHARACTER SET utf8 COLLATE utf8_bin");
      statements.add(
          "GRANT ALL ON %s.* TO %s IDENTIFIED BY '%s'"
              .formatted(database, account, secrets.databasePassword()));
    }
    if (product().equals("mysql")) {
      statements.add("DELETE FROM mysql.user WHERE User = ''");
      statements.add(
          "UPDATE mysql.user SET Password = PASSWORD('%s') WHERE User = 'root'"
              .formatted(secrets.databaseSuperuserPassword()));
    } else {
      statements.add("DELETE FROM mysql.global_priv WHERE User = 'root' AND Host <> 'localhost'");
      statements.add(
          "ALTER USER root@localhost IDENTIFIED BY '%s'"
              .formatted(secrets.databaseSuperuserPassword()));
    }
    statements.add("FLUSH PRIVILEGES");
    Path file = folders.secrets().resolve("create-databases.sql");
    StackFiles.writePrivately(file, String.join(";\n", statements) + ";\n");
    try {
      long before = LogLines.size(folders.installLog());
      Process process =
          new Command(
                  commandLine(programs.server(), "--skip-networking", "--init-file=" + file),
                  folders.home(),
                  folders.installLog())
              .startDetached(Map.of());
      LinuxProcess server =
          LinuxProcess.of(role(), process.pid())
              .orElseThrow(() -> creationFailed("create the databases", before));
      try {
        await(
            () -> LogLines.contains(folders.installLog(), before, READY),
            server,
            ProvisioningStep.CREATE_DATABASE,
            folders.installLog(),
            before);
      } finally {
        stop(server);
      }
      if (LogLines.contains(folders.installLog(), before, "ERROR")) {
        throw creationFailed("create the databases", before);
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private List<String> commandLine(Path server, String... arguments) {
    List<String> line = new ArrayList<>();
    line.add(server.toString());
    // Must come first. It also identifies all processes of this server.
    line.add(marker());
    line.addAll(List.of(arguments));
    return line;
  }

  private String marker() {
    return "--defaults-file=" + configuration();
  }

  // ---- operation ----

  @Override
  List<String> commandLine(int port) {
    return commandLine(Path.of(stack.database().programs()), "--port=" + port);
  }

  @Override
  boolean isReady(LinuxProcess server, long logPosition) throws IOException {
    return LogLines.contains(log(), logPosition, READY);
  }

  /** Waits for the server's greeting, because the log may report an earlier start as ready. */
  @Override
  public void awaitReady(LinuxProcess server)
      throws IOException, InterruptedException, ProvisioningException {
    await(
        this::acceptsConnections,
        server,
        ProvisioningStep.START_DATABASE,
        log(),
        LogLines.size(log()));
  }

  private boolean acceptsConnections() {
    try (Socket socket = new Socket(Proxy.NO_PROXY)) {
      socket.connect(
          new InetSocketAddress("127.0.0.1", stack.session().databasePort()), GREETING_MILLIS);
      socket.setSoTimeout(GREETING_MILLIS);
      return socket.getInputStream().read() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public boolean lostItsPort(long logPosition) throws IOException {
    return LogLines.contains(log(), logPosition, "Bind on TCP/IP port");
  }

  @Override
  public List<LinuxProcess> processes() {
    return LinuxProcess.withArguments(role(), marker());
  }

  @Override
  public void stop(LinuxProcess server) throws IOException {
    server.signal("TERM");
    if (!server.awaitEnd(ORDERLY_STOP_TIMEOUT)) {
      server.signal("KILL");
      server.awaitEnd(FORCED_STOP_TIMEOUT);
    }
  }

  @Override
  public List<Path> configurationFiles() {
    return List.of(configuration());
  }
}
