package org.fedometer.profiles.stack.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A script in the place of an installed MariaDB, with empty files around it. */
class MySqlProgramsTest {

  @TempDir private Path base;

  @ParameterizedTest
  @ValueSource(strings = {"mysql", "mariadb"})
  void theScriptsOfOldAndOfNewServersAreFoundInTheirOrder(String prefix) throws Exception {
    server();
    scripts(prefix, "system_tables", "system_tables_data", "performance_tables");
    Files.createFile(base.resolve("share/mysql/maria_add_gis_sp_bootstrap.sql"));

    MySqlPrograms found = MySqlPrograms.installed(base.toString());

    assertThat(found.systemTables())
        .extracting(script -> script.getFileName().toString())
        .containsExactly(
            prefix + "_system_tables.sql",
            prefix + "_system_tables_data.sql",
            prefix + "_performance_tables.sql",
            "maria_add_gis_sp_bootstrap.sql");
    assertThat(found.version()).isEqualTo("11.4.2");
  }

  @Test
  void reportsAMissingScript() throws Exception {
    server();
    scripts("mariadb", "system_tables", "performance_tables");

    assertThatThrownBy(() -> MySqlPrograms.installed(base.toString()))
        .isInstanceOf(ProvisioningException.class)
        .hasMessage(
            "The system tables of MariaDB cannot be created: there is no"
                + " mariadb_system_tables_data.sql or mysql_system_tables_data.sql in "
                + base.resolve("share/mysql")
                + "; install MariaDB completely, or take the one from Maven with --set"
                + " database.programs=binaries.");
  }

  private void server() throws IOException {
    Path program = Files.createDirectories(base.resolve("sbin")).resolve("mariadbd");
    Files.writeString(
        program, "#!/bin/sh\necho \"mariadbd  Ver 11.4.2-MariaDB for debian-linux-gnu\"\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  private void scripts(String prefix, String... names) throws IOException {
    Path share = Files.createDirectories(base.resolve("share/mysql"));
    for (String name : List.of(names)) {
      Files.createFile(share.resolve(prefix + "_" + name + ".sql"));
    }
  }
}
