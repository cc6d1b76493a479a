package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.UserFolders;
import org.fedometer.profiles.artifacts.Artifacts;
import org.fedometer.profiles.stack.database.DatabaseAccess;
import org.fedometer.profiles.stack.database.DatabaseFolders;
import org.fedometer.profiles.stack.database.DatabaseServer;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.LogLines;
import org.fedometer.profiles.stack.program.Ports;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.StackFiles;

/**
 * A database server of a profile without its Fedora, with both databases. It stands for an external
 * server, or for one left by a killed Fedora. For one thread.
 */
final class StandaloneDatabase implements AutoCloseable {

  /** May look at Fedora's database, and nothing else. */
  static final String GUEST = "guest";

  static final String GUESTS_PASSWORD = "guest-password";

  private final StackFolders folders;
  private final StackDocument document;
  private final DatabaseServer server;
  private final Secrets secrets;
  private LinuxProcess process;

  private StandaloneDatabase(
      StackFolders folders, StackDocument document, DatabaseServer server, Secrets secrets) {
    this.folders = folders;
    this.document = document;
    this.server = server;
    this.secrets = secrets;
  }

  /**
   * Makes and starts one.
   *
   * @throws ProvisioningException if this machine lacks the programs, among others
   */
  static StandaloneDatabase start(Path home, Profile profile) throws Exception {
    StackFolders folders = new StackFolders(home);
    StackDocument planned =
        StackDocument.of(
            "1a", profile, StackOptions.at(home), Path.of(System.getProperty("java.home")));
    StackFiles.createPrivateFolder(home);
    Files.createDirectories(folders.logs());
    planned.write(folders.document());
    Secrets secrets = Secrets.create(folders, null);
    DatabaseServer unmade = DatabaseServer.of(folders, planned).orElseThrow();
    Optional<String> binaries = unmade.binaries();
    Path jar = null;
    if (binaries.isPresent()) {
      try (Artifacts artifacts = Artifacts.ofUser(ProvisioningListener.SILENT)) {
        jar = artifacts.resolve(binaries.get());
      }
    }
    StackDocument document =
        planned
            .withProvisioned(unmade.create(secrets, jar, UserFolders.cache()))
            .withPorts(0, Ports.free());
    document.write(folders.document());
    DatabaseServer server = DatabaseServer.of(folders, document).orElseThrow();
    StandaloneDatabase database = new StandaloneDatabase(folders, document, server, secrets);
    if (database.product().equals("postgresql")) {
      database.startAgain();
      ask(
          database.url("fedora"),
          "fedometer",
          secrets.databaseSuperuserPassword(),
          "CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(GUEST, GUESTS_PASSWORD));
    } else {
      Path statement =
          Files.writeString(
              home.resolve("guest.sql"),
              "GRANT SELECT ON fedora.* TO '%s'@'127.0.0.1' IDENTIFIED BY '%s';\n"
                  .formatted(GUEST, GUESTS_PASSWORD));
      Files.writeString(
          server.configurationFiles().get(0),
          "init-file=" + statement + "\n",
          StandardOpenOption.APPEND);
      database.startAgain();
    }
    return database;
  }

  /** As after an end of any kind. */
  void startAgain() throws Exception {
    long logPosition = LogLines.size(server.log());
    process = server.launch(document.session().databasePort());
    try {
      server.awaitReady(process, logPosition);
    } catch (ProvisioningException e) {
      server.stop(process);
      throw e;
    }
  }

  /** Ends it with all its children as a power cut does. */
  void kill() throws IOException {
    List<LinuxProcess> all = new ArrayList<>(process.descendants());
    all.add(process);
    for (LinuxProcess each : all) {
      each.signal("KILL");
    }
    for (LinuxProcess each : all) {
      each.awaitEnd(Duration.ofSeconds(20));
    }
  }

  /** Returns the file that holds its process number. */
  Path pidFile() {
    return DatabaseFolders.of(folders, document)
        .data()
        .resolve(product().equals("postgresql") ? "postmaster.pid" : "server.pid");
  }

  /** Such as {@code postgresql}. */
  String product() {
    return document.setting("database.product");
  }

  int port() {
    return document.session().databasePort();
  }

  LinuxProcess process() {
    return process;
  }

  String version() {
    return server.version();
  }

  String password() {
    return secrets.databasePassword();
  }

  /** Holds {@link #password} and nothing else. */
  Path passwordFile() {
    return folders.databasePassword();
  }

  /** Returns a profile's URL of a database on this server, through a given port. */
  String url(String database, int throughPort) {
    String scheme = product().equals("postgresql") ? "postgresql" : "mysql";
    return "jdbc:" + scheme + "://127.0.0.1:" + throughPort + "/" + database;
  }

  String url(String database) {
    return url(database, port());
  }

  /** As the user that Fedora would be. */
  List<String> ask(String database, String sql) throws SQLException {
    return ask(url(database), DatabaseAccess.USER, secrets.databasePassword(), sql);
  }

  /** The first column of each row; none if the statement has no rows. */
  static List<String> ask(String url, String user, String password, String sql)
      throws SQLException {
    Properties login = new Properties();
    login.setProperty("user", user);
    login.setProperty("password", password);
    List<String> values = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(url.replace("jdbc:mysql:", "jdbc:mariadb:"), login);
        Statement statement = connection.createStatement()) {
      if (statement.execute(sql)) {
        try (ResultSet rows = statement.getResultSet()) {
          while (rows.next()) {
            values.add(rows.getString(1));
          }
        }
      }
    }
    return values;
  }

  @Override
  public void close() throws IOException {
    server.stop(process);
  }
}
