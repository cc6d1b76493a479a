package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fedometer.profiles.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FedoraServerTest {
  @TempDir Path folder;

  @Test
  void theProcessHasTheEnvironmentThatItIsGivenAndNoFileTellsOfIt() throws Exception {
    StackFolders folders = new StackFolders(folder);
    StackDocument document =
        StackDocument.of("1", Profiles.load("mulgara-derby"), StackOptions.at(folder));
    document.write(folders.document());
    Files.createDirectories(folders.consoleLog().getParent());

    LinuxProcess process =
        new FedoraServer(folders, document)
            .launch(
                List.of(
                    "sh", "-c", "echo \"length ${#FEDOMETER_TOKEN} in $FEDORA_HOME\"; sleep 60"),
                Map.of("FEDOMETER_TOKEN", "sesame"));
    try {
      await()
          .untilAsserted(
              () ->
                  assertThat(folders.consoleLog())
                      .content()
                      .contains("length 6 in " + folders.fedora()));
    } finally {
      FedoraServer.stop(process);
    }
    try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(f -> assertThat(f).content().doesNotContain("sesame"));
    }
  }
}
