package org.fedometer.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

/** An agent's facts as text and JSON. */
class AgentFactsTest {

  @Test
  void missingFieldsAreDashes() {
    AgentFacts nothing = new AgentFacts(Map.of());

    assertThat(nothing.text("state")).isEqualTo("-");
    assertThat(nothing.connected()).isEqualTo("-");
    assertThat(nothing.memory()).isEqualTo("-");
    assertThat(nothing.startedAgo()).isEqualTo("-");
    assertThat(nothing.json()).isEmpty();
  }

  @Test
  void describesTheCollectorWithRunOrError() {
    assertThat(
            new AgentFacts(Map.of("collector", "h:1", "connected", "true", "run-name", "night"))
                .collectorText())
        .isEqualTo("collector h:1, connected, run night");
    assertThat(
            new AgentFacts(
                    Map.of(
                        "collector",
                        "h:1",
                        "connected",
                        "false",
                        "run-name",
                        "night",
                        "connection-error",
                        "Connection refused"))
                .collectorText())
        .isEqualTo("collector h:1, not connected: Connection refused");
    assertThat(
            new AgentFacts(Map.of("transport", "log4j2", "collector", "h:1", "connected", "true"))
                .collectorText())
        .isEqualTo("receiver h:1, connected");
  }

  @Test
  void jsonHasTypedFieldsInCamelCase() {
    AgentFacts facts =
        new AgentFacts(
            Map.of("memory-bytes", "3355443", "connected", "true", "run-name", "2026-11-21"));

    assertThat(facts.memory()).isEqualTo("3.2 of - MiB");
    assertThat(facts.json())
        .containsOnly(
            entry("memoryBytes", 3_355_443L),
            entry("connected", true),
            entry("runName", "2026-11-21"));
  }

  @ParameterizedTest
  @CsvSource({"5,5 s", "60,1 min", "4000,1 h 6 min", "190000,2 d 4 h", "-1,0 s"})
  void agesAreShort(long seconds, String text) {
    assertThat(AgentFacts.age(Duration.ofSeconds(seconds))).isEqualTo(text);
  }

  @Test
  void placesLoseTheirPackages() {
    assertThat(
            AttachCommand.withoutPackages(
                "org.fcrepo.server.storage.DefaultDOManager.doCommit, org.trippi.impl.Mpt$1.add"))
        .isEqualTo("DefaultDOManager.doCommit, Mpt$1.add");
  }

  @Test
  void sizesAndProcessesAreCheckedBeforeAnythingIsTouched() throws Exception {
    assertThat(new AgentSize().convert("32M")).isEqualTo("32m");
    assertThat(new ProcessIdConverter().convert("4711")).isEqualTo(4711);
    for (String size : new String[] {"", "0m", "32", "32mb", "-1m", "1.5g"}) {
      assertThatThrownBy(() -> new AgentSize().convert(size))
          .isInstanceOf(TypeConversionException.class)
          .hasMessageContainingAll("'" + size + "'", "32m");
    }
    for (String pid : new String[] {"", "0", "-1", "java", "99999999999"}) {
      assertThatThrownBy(() -> new ProcessIdConverter().convert(pid))
          .isInstanceOf(TypeConversionException.class)
          .hasMessageContainingAll("'" + pid + "'", "agent list");
    }
  }
}
