package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.SettingCatalogue;
import org.fedometer.profiles.SettingCatalogue.Scope;
import org.fedometer.profiles.stack.program.Processes;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The real database servers by themselves, with everything about them set to what is unusual. */
@Tag("slow")
class DatabaseServerIT {

  private static final Map<String, String> POSTGRESQL =
      Map.of(
          "max_connections", "140",
          "shared_buffers", "64MB",
          "work_mem", "3MB",
          "wal_buffers", "2MB",
          "max_wal_size", "2GB",
          "checkpoint_timeout", "7min",
          "fsync", "off",
          "synchronous_commit", "off",
          "full_page_writes", "off",
          "autovacuum", "off");

  /** Maps settings to the server's own names for the values. */
  private static final Map<String, List<String>> INNODB =
      Map.of(
          "max_connections", List.of("140", "140"),
          "innodb_buffer_pool_size", List.of("64M", Integer.toString(64 << 20)),
          "innodb_log_file_size", List.of("16M", Integer.toString(16 << 20)),
          "innodb_flush_log_at_trx_commit", List.of("2", "2"),
          "innodb_flush_method", List.of("O_DSYNC", "O_DSYNC"),
          "innodb_doublewrite", List.of("off", "0"));

  @TempDir private Path folder;
  private Path home;
  private Path dataDisk;
  private Path walDisk;

  @BeforeEach
  void makeDisks() throws Exception {
    home = folder.resolve("home");
    dataDisk = Files.createDirectory(folder.resolve("data-disk"));
    walDisk = Files.createDirectory(folder.resolve("wal-disk"));
  }

  @ParameterizedTest
  @CsvSource({
    "postgresql, binaries",
    "mysql, binaries",
    "mariadb, binaries",
    "postgresql, system",
    "mariadb, system"
  })
  void followsTheProfileAndDeletesEverything(String product, String programs) throws Exception {
    try (StandaloneDatabase database = started(product, programs)) {
      assertThat(database.version()).matches("(PostgreSQL|MySQL|MariaDB) \\d+\\.[\\d.]+");
      if (product.equals("postgresql")) {
        isPostgresqlAsSet(database);
      } else {
        isInnodbAsSet(database);
      }
      assertThat(database.process().isAlive()).isTrue();
    }
    assertThat(Processes.naming(folder)).isEmpty();

    StackRegistry.ofUser().find(home).orElseThrow().delete();
    assertThat(folder).isDirectoryNotContaining(path -> path.equals(home));
    assertThat(dataDisk).isEmptyDirectory();
    assertThat(walDisk).isEmptyDirectory();
  }

  private void isPostgresqlAsSet(StandaloneDatabase database) throws Exception {
    assertThat(POSTGRESQL).containsOnlyKeys(keys(Scope.POSTGRESQL));
    for (Map.Entry<String, String> setting : POSTGRESQL.entrySet()) {
      assertThat(database.ask("fedora", "SHOW " + setting.getKey()))
          .as(setting.getKey())
          .containsExactly(setting.getValue());
    }
    assertThat(database.ask("triples", "SHOW server_encoding")).containsExactly("SQL_ASCII");
    assertThat(database.ask("fedora", "SHOW server_encoding")).containsExactly("UTF8");
    Path data = onlyFolderIn(dataDisk);
    assertThat(data).isDirectoryContaining("glob:**/PG_VERSION");
    assertThat(data.resolve("pg_wal")).isSymbolicLink();
    assertThat(data.resolve("pg_wal").toRealPath()).isEqualTo(onlyFolderIn(walDisk).toRealPath());
  }

  private static List<String> keys(Scope ofItsKind) {
    return SettingCatalogue.keys(Dimension.DATABASE, Scope.SERVER, ofItsKind);
  }

  private void isInnodbAsSet(StandaloneDatabase database) throws Exception {
    assertThat(INNODB).containsOnlyKeys(keys(Scope.INNODB));
    for (Map.Entry<String, List<String>> setting : INNODB.entrySet()) {
      assertThat(database.ask("fedora", "SELECT @@" + setting.getKey()))
          .as(setting.getKey())
          .containsExactly(setting.getValue().get(1));
    }
    assertThat(database.ask("triples", "SELECT @@collation_database"))
        .allMatch(collation -> collation.matches("utf8(mb3)?_bin"));
    assertThat(onlyFolderIn(dataDisk)).isDirectoryContaining("glob:**/ibdata1");
    assertThat(onlyFolderIn(walDisk)).isDirectoryContaining("glob:**/ib_logfile0");
  }

  /** As if the tool and Fedora were killed, and no process was written down. */
  @ParameterizedTest
  @CsvSource({"postgresql, binaries", "mysql, binaries", "mariadb, binaries"})
  void removesTheRemainsOfACrash(String product, String programs) throws Exception {
    StandaloneDatabase database = started(product, programs);
    Stack left = StackRegistry.ofUser().find(home).orElseThrow();
    assertThat(left.isRunning()).isTrue();

    left.delete();

    assertThat(database.process().isAlive()).isFalse();
    assertThat(Processes.naming(folder)).isEmpty();
    assertThat(home).doesNotExist();
    assertThat(dataDisk).isEmptyDirectory();
    assertThat(walDisk).isEmptyDirectory();
  }

  /** As after a power cut, or in a container, where numbers of processes come again soon. */
  @ParameterizedTest
  @CsvSource({"postgresql, binaries", "mysql, binaries", "mariadb, binaries"})
  void startsAlthoughThePidIsReused(String product, String programs) throws Exception {
    try (StandaloneDatabase database = started(product, programs)) {
      database.kill();
      Process other = new ProcessBuilder("sleep", "600").start();
      try {
        String[] lines = Files.readString(database.pidFile()).split("\n", 2);
        Files.writeString(
            database.pidFile(), other.pid() + (lines.length > 1 ? "\n" + lines[1] : "\n"));

        database.startAgain();

        assertThat(database.ask("fedora", "SELECT 1")).containsExactly("1");
      } finally {
        other.destroyForcibly();
      }
    }
    StackRegistry.ofUser().find(home).orElseThrow().delete();
  }

  private StandaloneDatabase started(String product, String programs) throws Exception {
    List<String> changes = new ArrayList<>();
    changes.add("database=" + product);
    changes.add("database.programs=" + programs);
    changes.add("database.dataFolder=" + dataDisk);
    changes.add("database.walFolder=" + walDisk);
    if (product.equals("postgresql")) {
      POSTGRESQL.forEach((name, value) -> changes.add("database." + name + "=" + value));
    } else {
      INNODB.forEach((name, values) -> changes.add("database." + name + "=" + values.get(0)));
    }
    Profile profile = Profiles.shipped().profile("mptstore-postgresql", changes);
    try {
      return StandaloneDatabase.start(home, profile);
    } catch (ProvisioningException e) {
      if (programs.equals("system")
          && e.step() == ProvisioningStep.PREFLIGHT
          && !"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
        return abort("SKIPPED, for a machine without that server: " + e.getMessage());
      }
      throw e;
    }
  }

  private static Path onlyFolderIn(Path disk) throws Exception {
    try (var folders = Files.list(disk)) {
      List<Path> found = folders.toList();
      assertThat(found).hasSize(1);
      assertThat(found.get(0).getFileName().toString()).startsWith("fedometer-1a-");
      return found.get(0);
    }
  }
}
