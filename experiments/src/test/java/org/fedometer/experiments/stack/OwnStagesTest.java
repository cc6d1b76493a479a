package org.fedometer.experiments.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.fedometer.wire.session.AgentReport;
import org.junit.jupiter.api.Test;

class OwnStagesTest {

  @Test
  void aStageThatMatchesNothingIsNamedAndNoOther() {
    assertThat(
            OwnStages.withoutMatch(
                Map.of("stage.my.commit", "p", "stage.my.read", "p", "memory", "16m"),
                List.of(
                    new AgentReport.Stage("my.commit", AgentReport.Weaving.NOT_FOUND, ""),
                    new AgentReport.Stage("my.read", AgentReport.Weaving.WOVEN, "A.b"),
                    new AgentReport.Stage("xacml.decide", AgentReport.Weaving.NOT_FOUND, ""))))
        .singleElement()
        .asString()
        .startsWith("my.commit matches nothing that Fedora has loaded by now; 'javap -p");
  }
}
