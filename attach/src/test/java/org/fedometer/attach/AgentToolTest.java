package org.fedometer.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  void java8AcceptsItsOwnUserOnly() {
    assertThat(AttachChecks.user(jvm("1.8.0_402"), 1000, 1000, "fedometer attach 4711")).isEmpty();
    assertThat(AttachChecks.user(jvm("17.0.15"), 1000, 0, "fedometer attach 4711")).isEmpty();
    assertThat(AttachChecks.user(jvm("1.8.0_402"), 1000, 0, "fedometer attach 4711"))
        .contains(
            new AttachObstacle(
                "process 4711 belongs to tomcat, and Java 8 rejects even root",
                "run the command as that user, as in 'sudo -u tomcat fedometer attach 4711'"));
    assertThat(AttachChecks.user(jvm("17.0.15"), 1000, 1001, "fedometer attach 4711"))
        .map(AttachObstacle::reason)
        .contains("process 4711 belongs to tomcat");
  }

  private static Jvm jvm(String version) {
    return new Jvm(
        4711,
        "tomcat",
        Jvm.Kind.HOTSPOT,
        version,
        Optional.empty(),
        List.of("java"),
        Map.of(),
        FedoraEvidence.none(),
        Optional.empty(),
        true);
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
