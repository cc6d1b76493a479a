package org.fedometer.cli.agent;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CustomStageOptionsTest {
  @TempDir private Path folder;

  @Test
  void rejectsAMissingAopFile() {
    Path none = folder.resolve("nosuch.xml");

    assertRefused(none, "--aop " + none + ": there is no such file");
    assertRefused(folder, "--aop " + folder + ": it is not a regular file");
  }

  private static void assertRefused(Path file, String message) {
    CustomStageOptions options =
        CommandLine.populateCommand(new CustomStageOptions(), "--aop", file.toString());
    assertThatThrownBy(() -> options.agentOptions(Path.of("no-agent.jar")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
