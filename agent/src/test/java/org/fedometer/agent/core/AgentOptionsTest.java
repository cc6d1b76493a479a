package org.fedometer.agent.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.fedometer.wire.client.AgentOption;
import org.junit.jupiter.api.Test;

/** Tests the combination of options from Fedora's start and from a command. */
class AgentOptionsTest {

  @Test
  void stagesOfACommandReplaceThoseOfFedorasStart() {
    Properties properties = new Properties();
    properties.setProperty("fedometer.stage.my.read", "execution(* a.B.read(..))");
    Map<String, String> environment = Map.of("FEDOMETER_AOP", "/no/such/aop.xml");

    AgentOptions none = of(Map.of(), properties, environment);
    assertThat(none.customStages).containsOnlyKeys("my.read");
    assertThat(none.aopOrNull).isEqualTo(Path.of("/no/such/aop.xml"));

    AgentOptions own =
        of(Map.of("stage.my.write", "execution(* a.B.write(..))"), properties, environment);
    assertThat(own.customStages).containsOnlyKeys("my.write");
    assertThat(own.aopOrNull).isNull();
  }

  @Test
  void sendsNoTokenToAReceiver() {
    Map<String, String> environment =
        Map.of(
            "FEDOMETER_TRANSPORT", "log4j2",
            "FEDOMETER_COLLECTOR", "127.0.0.1:4560",
            "FEDOMETER_TOKEN", "secret",
            "FEDOMETER_TOKEN_FILE", "/no/such/file");
    AgentOptions options = AgentOptions.of(Map.of(), new Properties(), environment);
    assertThat(options.log4j2).isTrue();
    assertThat(options.token).isEmpty();
    Map<String, String> arguments =
        Map.of("transport", "log4j2", "collector", "127.0.0.1:1", "token-file", "/no/such/file");
    assertThatThrownBy(() -> AgentOptions.of(arguments, new Properties(), environment))
        .hasMessageStartingWith("transport=log4j2 cannot send a token");
  }

  @Test
  void collectorOptionResetsTheTransport() {
    Map<String, String> environment =
        Map.of("FEDOMETER_TRANSPORT", "log4j2", "FEDOMETER_TOKEN", "secret");
    AgentOptions options = of(Map.of(), new Properties(), environment);
    assertThat(options.log4j2).isFalse();
    assertThat(options.token).isEqualTo("secret");
    assertThat(of(Map.of("transport", "log4j2"), new Properties(), Map.of()).log4j2).isTrue();
  }

  @Test
  void aCertificateIsShownWithItsKeyAndByTlsOnly() {
    Map<String, String> whole =
        Map.of("tls", "true", "tls-certificate", "agent.pem", "tls-key", "agent.key");
    AgentOptions options = of(whole, new Properties(), Map.of());
    assertThat(options.tlsKeyOrNull.file()).isEqualTo(Path.of("agent.pem").toAbsolutePath());
    assertThat(of(Map.of("tls", "true"), new Properties(), Map.of()).tlsKeyOrNull).isNull();
    assertThatThrownBy(() -> of(Map.of("tls", "true", "tls-key", "k"), new Properties(), Map.of()))
        .hasMessageContaining("belong together");
    assertThatThrownBy(
            () -> of(Map.of("tls-certificate", "c", "tls-key", "k"), new Properties(), Map.of()))
        .hasMessageContaining("give tls-ca=FILE or tls=on as well");
  }

  @Test
  void aSwitchIsOnOrOffAndTrueAndFalseMeanTheSame() {
    assertThat(of(Map.of("tls", "on"), new Properties(), Map.of()).tls).isTrue();
    assertThat(of(Map.of("tls", "false"), new Properties(), Map.of()).tls).isFalse();
    assertThat(of(Map.of("telemetry", "false"), new Properties(), Map.of()).telemetry).isFalse();
    assertThatThrownBy(() -> of(Map.of("gc-events", "yes"), new Properties(), Map.of()))
        .hasMessage("option 'gc-events' must be on or off, not 'yes'");
  }

  @Test
  void theManualHasEachOptionWithItsDefault() throws Exception {
    String manual = Files.readString(Path.of("../docs/agent-options.md"));
    String table = manual.split("[|] key [|] meaning [|] default [|]\n", 2)[1].split("\n\n", 2)[0];
    List<String> keys = new ArrayList<>();
    for (String row : table.lines().skip(1).toList()) {
      String[] cells = row.split(" *[|] *");
      List<String> ofRow = List.of(cells[1].replace("`", "").split(", "));
      keys.addAll(ofRow);
      if (ofRow.size() == 1 && !AgentOption.defaultOf(ofRow.get(0)).isEmpty()) {
        assertThat(cells[3].replace("`", ""))
            .as(row)
            .isIn(AgentOption.defaultOf(ofRow.get(0)), "as memory allows");
      }
    }
    keys.remove("stage.NAME");

    assertThat(keys).containsExactlyInAnyOrderElementsOf(AgentOption.NAMES);
  }

  private static AgentOptions of(
      Map<String, String> arguments, Properties properties, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(arguments);
    all.put("collector", "127.0.0.1:4711");
    return AgentOptions.of(all, properties, environment);
  }
}
