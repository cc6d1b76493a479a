package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.fedometer.profiles.DatabaseProduct;
import org.fedometer.profiles.stack.database.DatabaseFolders;
import org.fedometer.profiles.stack.database.DatabaseServer;
import org.fedometer.profiles.stack.home.ConfigurationFiles;
import org.fedometer.profiles.stack.home.Masking;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackArtifact;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.java.InstalledJava;
import org.fedometer.profiles.stack.program.LinuxProcess;

/**
 * Snapshot of a stack for records: its parts, processes and files, and texts without secrets.
 * Thread-safe.
 */
public record StackState(StackFolders folders, StackDocument document) {

  private static final Pattern JAR_VERSION =
      Pattern.compile("-(\\d[\\w.]*(?:-\\d+)?)(?:-jdbc\\d+)?\\.jar$");

  /** Replacement of bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  /**
   * Returns the existing configuration files of Fedora, its policies, Tomcat, the database and the
   * stack, by a unique path such as {@code spring/akubra-llstore.xml} or {@code tomcat/server.xml}.
   * They contain passwords: ship {@link #masked} instead.
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

  /** Returns the existing logs, by a unique name that is safe in a path. */
  public Map<String, Path> logs() {
    Map<String, Path> logs = new LinkedHashMap<>();
    logs.put("fedora.log", folders.fedoraLog());
    logs.put("fedora-console.log", folders.consoleLog());
    folders.gcLogParts().forEach(file -> logs.put(file.getFileName().toString(), file));
    DatabaseServer.of(folders, document)
        .ifPresent(server -> logs.put(server.log().getFileName().toString(), server.log()));
    logs.put("derby.log", folders.derbyLog());
    logs.put("install.log", folders.installLog());
    logs.put(HomeScan.LOG, folders.logs().resolve(HomeScan.LOG));
    logs.values().removeIf(path -> !Files.isRegularFile(path));
    return logs;
  }

  /**
   * Returns Java Flight Recorder's recordings, one for each start of Fedora with an orderly end,
   * named as in {@link #logs}; complete when Fedora has ended. They have no environment, system
   * properties or command lines.
   */
  public Map<String, Path> recordings() {
    Map<String, Path> recordings = new LinkedHashMap<>();
    folders.flightRecordings().forEach(file -> recordings.put(file.getFileName().toString(), file));
    recordings.values().removeIf(path -> !Files.isRegularFile(path));
    return recordings;
  }

  /** Returns the content of a configuration file or log with all secrets masked. */
  public String masked(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.UTF_8);
    // A comment in another encoding must not prevent the run's record.
    boolean unicode = text.indexOf(REPLACEMENT) < 0;
    return masking().mask(unicode ? text : new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** Returns a value, such as an argument, with all secrets masked. */
  public String maskedText(String value) throws IOException {
    return masking().mask(value);
  }

  /** Returns a masking of the stack's current secrets. */
  private Masking masking() throws IOException {
    return new Masking(Secrets.existing(folders));
  }

  /** Returns Fedora's whole last command line, with secrets masked; empty before. */
  public List<String> command() throws IOException {
    Masking masking = masking();
    return document.session().command().stream().map(masking::mask).toList();
  }

  /** Returns Fedora and its own database server, if any, while running. */
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

  public List<StackArtifact> artifacts() {
    return document.artifacts();
  }

  public Path javaHome() {
    return Path.of(document.plan().javaHome());
  }

  /** Returns the database server's port; 0 if the stack has no server. */
  public int databasePort() {
    return document.session().databasePort();
  }

  /** Returns the database's folders outside of the home, by content: {@code data}, {@code wal}. */
  public Map<String, Path> foldersElsewhere() {
    DatabaseFolders files = DatabaseFolders.of(folders, document);
    Map<String, Path> elsewhere = new LinkedHashMap<>();
    elsewhere.put("data", files.data());
    elsewhere.put("wal", files.wal());
    elsewhere.values().removeIf(folder -> folder == null || folder.startsWith(folders.home()));
    return elsewhere;
  }

  /** Returns the stack's parts with their versions, such as {@code tomcat} to {@code 7.0.55}. */
  public Map<String, String> versions() throws IOException {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("fedora", library("fcrepo-server"));
    versions.put("tomcat", tomcat());
    Optional<InstalledJava> java = InstalledJava.in(javaHome());
    versions.put("java", java.map(InstalledJava::version).orElse("unknown"));
    versions.put("javaVendor", java.map(InstalledJava::vendor).orElse("unknown"));
    versions.put(
        "triplestore",
        switch (document.setting("triplestore.store")) {
          case "mptstore" -> "MPTStore " + library("mptstore");
          case "mulgara" -> "Mulgara " + library("mulgara-core");
          default -> "none";
        });
    String product = document.setting("database.product");
    versions.put(
        "database",
        document.database() != null
            ? document.database().version()
            : product.equals("derby") ? "Derby " + library("derby") : product);
    if (!product.equals("derby")) {
      versions.put("databaseDriver", library(DatabaseProduct.of(product).driverJars()));
    }
    return versions;
  }

  /**
   * @param name of the jar, up to its version, or a glob of several
   */
  private String library(String name) throws IOException {
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

  private String tomcat() throws IOException {
    try (JarFile jar = new JarFile(folders.tomcat().resolve("lib/catalina.jar").toFile())) {
      ZipEntry entry = jar.getEntry("org/apache/catalina/util/ServerInfo.properties");
      Properties properties = new Properties();
      properties.load(jar.getInputStream(Objects.requireNonNull(entry)));
      return properties.getProperty("server.info", "unknown").replaceFirst("^Apache Tomcat/", "");
    }
  }
}
