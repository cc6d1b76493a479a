package org.fedometer.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.session.AgentReport;
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

  @Test
  void aStageOfOnesOwnThatMatchesNothingIsNamedAndNoOther() {
    assertThat(
            OwnStageOptions.withoutMatch(
                Map.of("stage.my.commit", "p", "stage.my.read", "p", "memory", "16m"),
                List.of(
                    new AgentReport.Stage("my.commit", AgentReport.Weaving.NOT_FOUND, ""),
                    new AgentReport.Stage("my.read", AgentReport.Weaving.WOVEN, "A.b"),
                    new AgentReport.Stage("xacml.decide", AgentReport.Weaving.NOT_FOUND, ""))))
        .singleElement()
        .asString()
        .startsWith("my.commit matches nothing that Fedora has loaded by now; 'javap -p");
  }

  private static void assertRefused(Path file, String sentence) {
    OwnStageOptions options =
        CommandLine.populateCommand(new OwnStageOptions(), "--aop", file.toString());
    assertThatThrownBy(() -> options.agentOptions(Path.of("no-agent.jar")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(sentence);
  }
}
