package org.fedometer.profiles.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/** Runs Fedora's own installer into a stack's home. Used by {@link Provisioner} on its thread. */
final class FedoraInstaller {

  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  /** What the installer leaves and a measured Fedora has no use for. */
  private static final List<String> SUPERFLUOUS =
      List.of(
          "docs",
          "client",
          "install/fedora.war",
          "tomcat/webapps/docs",
          "tomcat/webapps/examples",
          "tomcat/webapps/host-manager",
          "tomcat/webapps/manager");

  private final StackFolders folders;

  FedoraInstaller(StackFolders folders) {
    this.folders = folders;
  }

  /**
   * Installs.
   *
   * @param libraries jars for Tomcat's lib folder
   */
  void install(Path installer, List<Path> libraries, Path javaHome, Properties properties)
      throws IOException, InterruptedException, ProvisioningException {
    StackFiles.writePrivately(folders.installProperties(), textOf(properties));
    // The installer unpacks to fixed names there; two of them must not meet.
    Path temporary = Files.createDirectories(folders.home().resolve("install-temporary"));
    long before = LogLines.size(folders.installLog());
    int status =
        new Command(
                List.of(
                    javaHome.resolve("bin/java").toString(),
                    FedoraServer.marker(folders),
                    "-Djava.io.tmpdir=" + temporary,
                    "-jar",
                    installer.toString(),
                    folders.installProperties().toString()),
                folders.home(),
                folders.installLog())
            .run("", TIMEOUT);
    Path war = folders.tomcat().resolve("webapps/fedora.war");
    if (status != 0 || !Files.exists(war)) {
      throw new ProvisioningException(
          ProvisioningStep.INSTALL,
          "Fedora's installer failed: "
              + LogLines.firstTelling(folders.installLog(), before)
                  .orElse("its log does not say why"),
          folders.installLog());
    }
    StackFiles.deleteTree(temporary);
    // Unpacked here, not by Tomcat, so that the configuration within can be changed.
    try (InputStream archive = Files.newInputStream(war)) {
      UnpackedPrograms.unzip(archive, folders.webapp(), name -> name);
    }
    Files.delete(war);
    for (String path : SUPERFLUOUS) {
      StackFiles.deleteTree(folders.fedora().resolve(path));
    }
    for (Path library : libraries) {
      Files.copy(
          library,
          folders.tomcat().resolve("lib").resolve(library.getFileName()),
          StandardCopyOption.REPLACE_EXISTING);
    }
    skipJarScan();
  }

  /** Sorted and without the time, so that equal ones are equal text. */
  static String textOf(Properties properties) throws IOException {
    StringWriter text = new StringWriter();
    properties.store(text, null);
    return text.toString()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .sorted()
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Puts a JDBC driver into the webapp in place of the one that Fedora brings for the database. */
  void replaceDriver(Path driver, StackDocument stack) throws IOException {
    String own =
        stack.setting("database.product").equals("postgresql")
            ? "postgresql-[0-9]*.jar"
            : "mysql-connector-java-*.jar";
    Path libraries = folders.webapp().resolve("WEB-INF/lib");
    try (DirectoryStream<Path> replaced = Files.newDirectoryStream(libraries, own)) {
      for (Path jar : replaced) {
        Files.delete(jar);
      }
    }
    Files.copy(driver, libraries.resolve(driver.getFileName()));
  }

  /**
   * Spares Tomcat the search of Fedora's 182 jars for annotations and fragments, of which they have
   * none: 10 of 28 s of processor time at each start, and stack traces about module-info.class.
   */
  private void skipJarScan() throws IOException {
    Files.writeString(
        folders.tomcat().resolve("conf/catalina.properties"),
        "\ntomcat.util.scan.DefaultJarScanner.jarsToSkip=*.jar\n",
        StandardOpenOption.APPEND);
  }
}
