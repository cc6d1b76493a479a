package org.fedometer.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.load.Load;
import org.fedometer.driver.request.Shard;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.collect.CollectorPlace;
import org.fedometer.experiments.load.Endurance;
import org.fedometer.experiments.load.LoadPlan;
import org.junit.jupiter.api.Test;

/** Options of jobs, of which the user has said little or what does not go together. */
class RunOptionsTest {
  private static final CollectorPlace HERE =
      new CollectorPlace(Path.of("store"), null, CollectorAccess.PLAIN, List.of());

  @Test
  void aRunOfWhichNothingIsSaidIsOfPlainIngestsAndEndsWithItsProcesses() {
    RunOptions options = run().build();

    assertThat(options.plan()).isEqualTo(LoadPlan.PLAIN);
    assertThat(options.operations()).isNull();
    assertThat(options.canGoOn()).isFalse();
    assertThat(options.store()).isEqualTo(HERE.store());
  }

  @Test
  void whatCannotBeTakenUpInItsMidstIsNotStartedAgain() {
    Load.Sweep sweep = new Load.Sweep(List.of(1, 2), Duration.ofMinutes(1), 0, 0);

    assertThatThrownBy(
            () ->
                run()
                    .endurance(new Endurance(3, Duration.ZERO, List.of()))
                    .plan(new LoadPlan(sweep, null, null))
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--most-restarts 3: ");
  }

  @Test
  void aPartOfARunHasANameWhateverIsSaidFirst() {
    assertThat(ingest().shard(new Shard(3, 8)).name("big").build().shard().number()).isEqualTo(3);
    assertThatThrownBy(() -> ingest().shard(new Shard(3, 8)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--shard needs --name NAME");
  }

  private static RunOptions.Builder run() {
    return RunOptions.builder(null, "patents", 4, HERE, Path.of("agent.jar"));
  }

  private static IngestJobOptions.Builder ingest() {
    return IngestJobOptions.builder(
        new FedoraLogin(URI.create("http://127.0.0.1:8080/fedora"), "user", "secret".toCharArray()),
        "patents",
        4,
        HERE);
  }
}
