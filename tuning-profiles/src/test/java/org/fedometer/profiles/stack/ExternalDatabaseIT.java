package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.database.DatabaseAccess;
import org.fedometer.profiles.stack.database.ExternalDatabase;
import org.fedometer.profiles.stack.home.DatabaseConnection;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.Ports;
import org.fedometer.profiles.stack.program.Processes;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.fedometer.profiles.stack.program.StackFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks of an external database before a Fedora uses it. All tests share one real server of each
 * product and undo their changes.
 */
@Tag("fedora")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExternalDatabaseIT {

  private final Map<String, StandaloneDatabase> servers = new HashMap<>();
  private Path folder;
  private StandaloneDatabase database;

  @BeforeAll
  void keep(@TempDir Path temporary) {
    folder = temporary;
  }

  @AfterAll
  void stopAll() throws Exception {
    for (StandaloneDatabase server : servers.values()) {
      server.close();
    }
    assertThat(Processes.naming(folder)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "mysql", "mariadb"})
  void acceptsEmptyDatabasesAndReportsTables(String product) throws Exception {
    start(product);
    List<String> notes = new ArrayList<>();

    StackDocument.Installation found = check(external(Map.of()), notes);

    assertThat(found.version()).isEqualTo(database.version());
    assertThat(notes).isEmpty();

    List<String> tables = List.of("t1", "t2", "t3", "t4", "t5", "t6", "t7");
    for (String table : tables) {
      database.ask("triples", "CREATE TABLE " + table + " (s VARCHAR(255), o VARCHAR(255))");
    }
    try {
      assertThatThrownBy(() -> check(external(Map.of()), notes))
          .isInstanceOf(ProvisioningException.class)
          .hasMessage(
              "The database of database.triplesUrl, "
                  + database.url("triples")
                  + ", is not empty: it has t1, t2, t3, t4, t5 and 2 tables more. A new stack needs"
                  + " empty databases; name another one, or drop this one and create it again.");
      check(external(Map.of("triplestore", "mulgara")), notes);
    } finally {
      database.ask("triples", "DROP TABLE " + String.join(", ", tables));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "mysql", "mariadb"})
  void reportsARefusedLoginWithoutThePassword(String product) throws Exception {
    start(product);
    Path wrong = Files.writeString(folder.resolve("wrong"), "Gue55edPassw0rd\n");

    assertThatThrownBy(
            () ->
                check(
                    external(Map.of("database.passwordFile", wrong.toString())), new ArrayList<>()))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageStartingWith(
            "The database of database.url, "
                + database.url("fedora")
                + ", does not let fedora in: ")
        .hasMessageMatching("(?s).*(password authentication failed|Access denied).*")
        .hasMessageEndingWith("database.user and database.passwordFile.")
        .hasMessageNotContaining("Gue55edPassw0rd");

    assertThatThrownBy(
            () ->
                check(
                    external(Map.of("database.triplesUrl", database.url("nowhere"))),
                    new ArrayList<>()))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageStartingWith("The database of database.triplesUrl, ")
        .hasMessageMatching(".*(does not exist|Unknown database|Access denied).*");

    String nobodyThere = database.url("fedora", Ports.free());
    assertThatThrownBy(
            () -> check(external(Map.of("database.url", nobodyThere)), new ArrayList<>()))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageMatching(".* does not let fedora in: .*(refused|connect).*");
  }

  @ParameterizedTest
  @CsvSource({
    "postgresql, 'GRANT CREATE ON SCHEMA public TO guest, or make guest its owner.'",
    "mysql, GRANT ALL ON fedora.* TO guest.",
    "mariadb, GRANT ALL ON fedora.* TO guest."
  })
  void reportsAUserWithoutCreatePrivilege(String product, String instead) throws Exception {
    start(product);
    Path secret = Files.writeString(folder.resolve("guest"), StandaloneDatabase.GUESTS_PASSWORD);
    Profile asGuest =
        external(
            Map.of(
                "database.user",
                StandaloneDatabase.GUEST,
                "database.passwordFile",
                secret.toString()));

    assertThatThrownBy(() -> check(asGuest, new ArrayList<>()))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageContaining("does not let guest create tables")
        .hasMessageEndingWith(instead);
  }

  /** Applies to Fedometer's connections as to Fedora's; a server may require one, such as TLS. */
  @ParameterizedTest
  @CsvSource({
    "postgresql, ?options=-c%20statement_timeout=7s, SHOW statement_timeout, 7s",
    "mysql, ?sessionVariables=max_sort_length=77, SELECT @@max_sort_length, 77",
    "mariadb, ?sessionVariables=max_sort_length=77, SELECT @@max_sort_length, 77"
  })
  void theOptionsOfTheUrlHold(String product, String options, String question, String answer)
      throws Exception {
    start(product);
    Duration minute = Duration.ofMinutes(1);

    try (Connection connection =
            DatabaseConnection.open(
                database.url("fedora") + options,
                DatabaseAccess.USER,
                database.password(),
                minute,
                minute);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(question)) {
      assertThat(row.next()).isTrue();
      assertThat(row.getString(1)).isEqualTo(answer);
    }
  }

  /** Two stacks made for one pair of databases: the second to start would destroy the first. */
  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "mysql"})
  void rejectsANonEmptyDatabaseAtTheFirstStartOnly(String product) throws Exception {
    start(product);
    Path home = folder.resolve("second-" + product);
    StackDocument document = provisioned(home, external(Map.of()), database.password());
    database.ask("fedora", "CREATE TABLE doregistry (dopid VARCHAR(64))");
    try {
      assertThatThrownBy(() -> start(home))
          .isInstanceOf(ProvisioningException.class)
          .hasMessageContaining("is not empty: it has doregistry.");

      document.withCommand(List.of("java")).write(new StackFolders(home).document());
      assertThatThrownBy(() -> start(home))
          .as("the next step")
          .hasMessageStartingWith("Could not " + ProvisioningStep.CONFIGURE.label());
    } finally {
      database.ask("fedora", "DROP TABLE doregistry");
    }
  }

  @Test
  void aPasswordThatWasChangedSinceIsReadAgain() throws Exception {
    start("postgresql");
    Path home = folder.resolve("changed");
    Path file = Files.writeString(folder.resolve("password"), "0ld");
    provisioned(home, external(Map.of("database.passwordFile", file.toString())), "0ld");

    assertThatThrownBy(() -> start(home)).hasMessageContaining("does not let fedora in");
    Files.writeString(file, database.password() + "\n");
    assertThatThrownBy(() -> start(home))
        .as("the next step")
        .hasMessageStartingWith("Could not " + ProvisioningStep.CONFIGURE.label());
    assertThat(new StackFolders(home).databasePassword()).hasContent(database.password());

    Files.delete(file);
    assertThatThrownBy(() -> start(home))
        .as("what was read last is kept")
        .hasMessageStartingWith("Could not " + ProvisioningStep.CONFIGURE.label());
  }

  /** A home of a stack that was never started, without its Fedora. */
  private static StackDocument provisioned(Path home, Profile profile, String password)
      throws Exception {
    StackFolders folders = new StackFolders(home);
    StackFiles.createPrivateFolder(home);
    Files.createDirectories(folders.logs());
    Secrets.create(folders, password);
    StackDocument document =
        StackDocument.of(
                "2b", profile, StackOptions.at(home), Path.of(System.getProperty("java.home")))
            .withProvisioned(new StackDocument.Installation("", List.of(), "1"));
    document.write(folders.document());
    return document;
  }

  private static void start(Path home) throws Exception {
    StackRegistry.ofUser().find(home).orElseThrow().start(ProvisioningListener.SILENT);
  }

  @Test
  void notesAnUnusualEncoding() throws Exception {
    start("postgresql");
    List<String> notes = new ArrayList<>();

    check(
        external(
            Map.of(
                "database.url", database.url("triples"),
                "database.triplesUrl", database.url("fedora"))),
        notes);

    assertThat(notes)
        .containsExactly(
            "The database of database.url has the encoding SQL_ASCII; a managed database has UTF8.",
            "The database of database.triplesUrl has the encoding UTF8; a managed database"
                + " has SQL_ASCII.");
  }

  @Test
  void notesACaseInsensitiveCollation() throws Exception {
    start("mysql");
    List<String> notes = new ArrayList<>();
    database.ask("triples", "ALTER DATABASE triples COLLATE utf8_general_ci");
    try {
      check(external(Map.of()), notes);
    } finally {
      database.ask("triples", "ALTER DATABASE triples COLLATE utf8_bin");
    }

    assertThat(notes)
        .singleElement()
        .asString()
        .startsWith("The database of database.triplesUrl has the collation utf8_general_ci, which");
  }

  @Test
  void nothingIsMadeForAStackWhoseDatabaseIsRefused() throws Exception {
    start("postgresql");
    Path home = folder.resolve("refused");
    database.ask("fedora", "CREATE TABLE doregistry (dopid VARCHAR(64))");
    try {
      assertThatThrownBy(
              () ->
                  Provisioner.ofUser()
                      .provision(
                          external(Map.of()), StackOptions.at(home), ProvisioningListener.SILENT))
          .isInstanceOf(ProvisioningException.class)
          .hasMessageContaining("is not empty: it has doregistry.");
      assertThat(home).doesNotExist();
    } finally {
      database.ask("fedora", "DROP TABLE doregistry");
    }
  }

  private void start(String product) throws Exception {
    database = servers.get(product);
    if (database == null) {
      database =
          StandaloneDatabase.start(
              folder.resolve(product),
              Profiles.shipped().profile("mptstore-postgresql", List.of("database=" + product)));
      servers.put(product, database);
    }
  }

  /** A profile of the database as an external one, but for some changes. */
  private Profile external(Map<String, String> changes) throws Exception {
    Map<String, String> all = new HashMap<>();
    all.put("database", database.product() + "-external");
    all.put("database.url", database.url("fedora"));
    all.put("database.triplesUrl", database.url("triples"));
    all.put("database.passwordFile", database.passwordFile().toString());
    all.putAll(changes);
    List<String> asked = new ArrayList<>();
    all.forEach((name, value) -> asked.add(name + "=" + value));
    return Profiles.shipped().profile("mptstore-postgresql", asked);
  }

  private static StackDocument.Installation check(Profile profile, List<String> notes)
      throws Exception {
    String password = Files.readString(Path.of(profile.text("database.passwordFile"))).strip();
    ProvisioningListener listener =
        new ProvisioningListener() {
          @Override
          public void note(String sentence) {
            notes.add(sentence);
          }
        };
    return ExternalDatabase.of(profile.settingsAsText(), password)
        .orElseThrow()
        .checkForNewFedora(listener);
  }
}
