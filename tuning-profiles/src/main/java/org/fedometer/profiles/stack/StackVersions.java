package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.java.InstalledJava;

/** What a stack is made of, as its own files say. */
record StackVersions(StackFolders folders, StackDocument document) {

  private static final Pattern JAR_VERSION =
      Pattern.compile("-(\\d[\\w.]*(?:-\\d+)?)(?:-jdbc\\d+)?\\.jar$");

  Map<String, String> all() throws IOException {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("fedora", library("fcrepo-server"));
    versions.put("tomcat", tomcat());
    Optional<InstalledJava> java = InstalledJava.in(Path.of(document.plan().javaHome()));
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
      versions.put(
          "databaseDriver",
          library(product.equals("postgresql") ? "postgresql" : "mysql-connector-{java,j}"));
    }
    return versions;
  }

  /**
   * @param name of the jar, up to its version; several as a glob has them
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
