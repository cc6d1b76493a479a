package org.fedometer.experiments.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentRecordTest {
  private static final String SHA256_OF_NOTHING =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private final EnvironmentRecord record =
      new EnvironmentRecord(Map.of("memory.total", "8 GB"), Map.of("load.average", "0.1"));

  @Test
  void recordsChecksumsOfReadableJars(@TempDir Path folder) throws IOException {
    Path second = Files.createFile(folder.resolve("b.jar"));
    Path first = Files.createFile(folder.resolve("a.jar"));
    Path classes = Files.createDirectory(folder.resolve("classes"));
    Path gone = folder.resolve("gone.jar");

    record.toolJars(second + ":" + classes + ":" + gone + ":" + first);

    assertThat(encoded().at("/artifacts"))
        .extracting(
            jar -> jar.at("/part").asText(),
            jar -> jar.at("/file").asText(),
            jar -> jar.at("/sha256").asText())
        .containsExactly(
            tuple("tool", "a.jar", SHA256_OF_NOTHING), tuple("tool", "b.jar", SHA256_OF_NOTHING));
  }

  @Test
  void howTheToolIsUsedStandsBesideItsVersion() throws IOException {
    record.tool("telemetrySeconds", "0.0");
    record.runSpecific("store", "/store");
    record.runSpecific("run.name", " ");

    assertThat(encoded().at("/tool/telemetrySeconds").asText()).isEqualTo("0.0");
    assertThat(encoded().at("/tool/version").asText()).isNotEmpty();
    assertThat(encoded().at("/runSpecific").size()).isEqualTo(1);
    assertThat(encoded().at("/moment/load.average").asText()).isEqualTo("0.1");
  }

  @Test
  void aRunThatIsCalledAsItsHostHidesNoFactOfTheHost() throws IOException {
    record.runIdentity("01J", "srv1");

    assertThat(encoded().at("/runSpecific/run.id").asText()).isEqualTo("01J");
    assertThat(encoded().at("/runSpecific/run.name").asText()).isEqualTo("run-name=srv1");
  }

  private JsonNode encoded() throws IOException {
    return new ObjectMapper().readTree(record.encode());
  }
}
