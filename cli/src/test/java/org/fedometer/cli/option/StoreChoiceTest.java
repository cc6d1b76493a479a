package org.fedometer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Hints to other commands on the same store. */
class StoreChoiceTest {

  @Test
  void hintNamesTheSameStore() {
    assertThat(parsed().hint()).isEmpty();
    assertThat(parsed("--store", "/data/runs").hint()).isEqualTo(" --store /data/runs");
    assertThat(parsed("--from", "192.0.2.7:4711").hint()).isEqualTo(" --from 192.0.2.7:4711");
    String[] access = {
      "--from", "192.0.2.7:4711", "--token-file", "/my token", "--tls-ca", "/ca.pem",
    };
    assertThat(parsed(access).hint())
        .isEqualTo(" --from 192.0.2.7:4711 --token-file '/my token' --tls-ca /ca.pem");
  }

  private static StoreChoice parsed(String... options) {
    StoreChoice choice = new StoreChoice();
    new CommandLine(choice).parseArgs(options);
    return choice;
  }
}
