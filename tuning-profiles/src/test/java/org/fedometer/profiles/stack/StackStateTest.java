package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StackStateTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "postgresql, postgresql-9.3-1102-jdbc41.jar, 9.3-1102",
    "mysql, mysql-connector-java-5.1.49.jar, 5.1.49",
    "mysql, mysql-connector-j-8.4.0.jar, 8.4.0"
  })
  void findsTheVersionOfAnyDriver(String product, String jar, String version) throws Exception {
    StackFolders folders = new StackFolders(folder);
    Path libraries = Files.createDirectories(folders.webapp().resolve("WEB-INF/lib"));
    Files.createFile(libraries.resolve(jar));
    Path tomcat = Files.createDirectories(folders.tomcat().resolve("lib"));
    try (ZipOutputStream catalina =
        new ZipOutputStream(Files.newOutputStream(tomcat.resolve("catalina.jar")))) {
      catalina.putNextEntry(new ZipEntry("org/apache/catalina/util/ServerInfo.properties"));
      catalina.write("server.info=Apache Tomcat/7.0.55\n".getBytes(StandardCharsets.US_ASCII));
    }
    StackDocument document =
        StackDocument.of(
            "1",
            Profiles.shipped().profile("mulgara-" + product),
            StackOptions.at(folder),
            Path.of(System.getProperty("java.home")));

    assertThat(new StackState(folders, document).versions())
        .containsEntry("tomcat", "7.0.55")
        .containsEntry("databaseDriver", version);
  }
}
