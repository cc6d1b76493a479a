package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that {@code client.py}, written from {@code docs/wire.md} alone, decodes every vector: the
 * document is complete and correct.
 */
@Timeout(60)
class PythonClientTest {
  @TempDir private Path directory;

  @BeforeEach
  void needsPython() {
    boolean present =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
    if (!"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      assumeThat(present).as("python3 reads the frames by the document").isTrue();
    }
    assertThat(present).as("python3 is on the PATH").isTrue();
  }

  @Test
  void anIndependentClientReadsAndWritesEveryVector() throws Exception {
    assertThat(run(VectorsTest.FILE))
        .isEqualTo("0: " + FrameType.values().length + " frames read and written\n");
  }

  @Test
  void theClientNoticesAnotherValue() throws Exception {
    String vectors = Files.readString(VectorsTest.FILE);
    Path other = directory.resolve("vectors.txt");
    assertThat(vectors).contains("\"ready\"");
    Files.writeString(other, vectors.replace("\"ready\"", "\"steady\""));

    assertThat(run(other)).startsWith("1: logs: encoded as").contains("logs: decoded as");
  }

  private String run(Path vectors) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process python =
        new ProcessBuilder("python3", "src/test/python/client.py", vectors.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(python.waitFor(40, TimeUnit.SECONDS)).isTrue();
      return python.exitValue() + ": " + Files.readString(output);
    } finally {
      python.destroyForcibly();
    }
  }
}
