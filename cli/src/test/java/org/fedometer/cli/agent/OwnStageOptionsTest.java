package org.fedometer.cli.agent;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OwnStageOptionsTest {
  @TempDir private Path folder;

  @Test
  void anAopFileThatIsNotThereIsSaidToBeSoBeforeTheAgentIsAsked() {
    Path none = folder.resolve("nosuch.xml");

    assertRefused(none, "--aop " + none + ": there is no such file");
    assertRefused(folder, "--aop " + folder + ": that is no file");
  }

  private static void assertRefused(Path file, String sentence) {
    OwnStageOptions options =
        CommandLine.populateCommand(new OwnStageOptions(), "--aop", file.toString());
    assertThatThrownBy(() -> options.agentOptions(Path.of("no-agent.jar")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(sentence);
  }
}
