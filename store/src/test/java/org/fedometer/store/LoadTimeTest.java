package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoadTimeTest {

  @Test
  void aPauseWithinTheDriversAbsenceIsTakenOffOnce() {
    RunDocument.Load load =
        new RunDocument.Load(
            null,
            null,
            List.of(),
            List.of(new RunDocument.Pause(150, 200), new RunDocument.Pause(500, 600)),
            List.of());
    List<RunDocument.Outage> outages =
        List.of(
            new RunDocument.Outage(RunDocument.Outage.DRIVER, 100, 300, "it had ended"),
            new RunDocument.Outage(RunDocument.Outage.FEDORA, 700, 800, "no answer"));

    RunDocument run = RunDocument.builder("run", "done").load(load).outages(outages).build();

    assertThat(LoadTime.between(0, 1000, run)).isEqualTo(700);
    assertThat(LoadTime.between(250, 550, run)).isEqualTo(200);
    assertThat(LoadTime.gaps(run))
        .containsExactly(new LoadTime.Gap(100, 300), new LoadTime.Gap(500, 600));
  }

  @Test
  void olderRunWithoutPausesCountsAllTime() {
    RunDocument run =
        RunDocument.builder("run", "done").load(null).outages(null).phases(null).build();

    assertThat(LoadTime.between(10, 30, run)).isEqualTo(20);
  }

  @Test
  void aLookAtWhatFedoraHasKeptIsNeitherLoadNorFlush() {
    RunDocument.Phase ingest = new RunDocument.Phase("ingest", 0, 400);
    RunDocument.Phase check = new RunDocument.Phase("check", 410, 900);
    RunDocument run =
        RunDocument.builder("run", "done")
            .objects(new RunDocument.ObjectCounts(30, 30, 0, null, 0, 0))
            .outages(
                List.of(
                    new RunDocument.Outage(RunDocument.Outage.DRIVER, 100, 200, "it had ended")))
            .phases(List.of(ingest, check, new RunDocument.Phase("drain", 900, 910)))
            .build();

    assertThat(LoadTime.between(0, 910, run)).isEqualTo(320);
    assertThat(LoadTime.of(ingest, run)).isEqualTo(300);
    assertThat(LoadTime.of(check, run)).isEqualTo(490);
    assertThat(RunSummary.objectsPerSecond(run)).isEqualTo(30 * 1e9 / 320);
  }
}
