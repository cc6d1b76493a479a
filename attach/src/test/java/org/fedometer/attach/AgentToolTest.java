package org.fedometer.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentToolTest {

  @Test
  void escapesACommaInAValue() {
    assertThat(AgentTool.text(Map.of("run-name", "a,b\\c"))).isEqualTo("run-name=a\\,b\\c");
  }

  @Test
  void rejectsAValueThatEndsWithABackslash() {
    assertThatThrownBy(() -> AgentTool.text(Map.of("spool", "/srv/spool\\")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spool=/srv/spool\\ ends with a backslash");
  }

  @Test
  void distinguishesASilentAgentFromDisabledAttach() {
    assertThat(AttachChecks.silentAgent(4711, "weaving the stages", Duration.ofSeconds(60)))
        .hasMessageContaining("process 4711 has not reported for 60 s")
        .hasMessageContaining("since 'weaving the stages'")
        .hasMessageContaining("fedometer agent list")
        .hasMessageNotContaining("-javaagent");
  }
}
