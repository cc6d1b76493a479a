package org.fedometer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Hints to commands that read what was sent. */
class CollectorChoiceTest {
  private static final Path STORE = Path.of("/data/runs");

  @Test
  void hintsAtTheNamedCollector() {
    assertThat(parsed("--collector", "192.0.2.7:4711").hintTo(STORE))
        .isEqualTo(" --from 192.0.2.7:4711");
    assertThat(parsed("--collector", "[::1]:4711").hintTo(STORE)).contains("]:4711");
  }

  @Test
  void hintsAtTheLocalStore() {
    assertThat(parsed().hintTo(STORE)).isEqualTo(" --store /data/runs");
    assertThat(parsed().hintTo(Path.of("fedometer-store"))).isEmpty();
  }

  private static CollectorChoice parsed(String... options) {
    CollectorChoice choice = new CollectorChoice();
    new CommandLine(choice).parseArgs(options);
    return choice;
  }
}
