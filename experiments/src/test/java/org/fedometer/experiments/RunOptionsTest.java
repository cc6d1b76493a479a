package org.fedometer.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.load.Load;
import org.fedometer.driver.request.Shard;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.load.Endurance;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.experiments.load.LoadSpec;
import org.junit.jupiter.api.Test;

/** Options of jobs, minimal or in conflict. */
class RunOptionsTest {
  private static final CollectorTarget HERE =
      new CollectorTarget(Path.of("store"), null, CollectorAccess.PLAIN, List.of());

  @Test
  void defaultsToPlainIngestsWithoutRestarts() {
    RunOptions options = run(LoadPlan.of(4), Endurance.NONE);

    assertThat(options.load().isResumable()).isTrue();
    assertThat(options.isResumable()).isFalse();
    assertThat(options.store()).isEqualTo(HERE.store());
  }

  @Test
  void doesNotRestartRunsThatAreNotResumable() {
    Load.Sweep sweep = new Load.Sweep(List.of(1, 2), Duration.ofMinutes(1), 0, 0);

    assertThatThrownBy(
            () ->
                run(
                    new LoadPlan(null, 4, null, sweep, null, null),
                    new Endurance(3, Duration.ZERO, List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--max-restarts 3: ");
  }

  @Test
  void aPartOfARunHasAName() {
    assertThat(third("big").shard().number()).isEqualTo(3);
    assertThatThrownBy(() -> third(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--shard needs --name NAME");
  }

  private static RunOptions run(LoadPlan plan, Endurance endurance) {
    return new RunOptions(
        null,
        LoadSpec.of("patents", plan, null),
        null,
        HERE,
        Path.of("agent.jar"),
        Map.of(),
        Duration.ZERO,
        0,
        false,
        endurance);
  }

  private static IngestJobOptions third(String name) {
    return new IngestJobOptions(
        new FedoraLogin(URI.create("http://127.0.0.1:8080/fedora"), "user", "secret".toCharArray()),
        DatasetOptions.unlimited("patent"),
        LoadSpec.of("patents", LoadPlan.of(4), null),
        new Shard(3, 8),
        0,
        Duration.ofHours(1),
        Duration.ZERO,
        name,
        false,
        HERE,
        List.of());
  }
}
