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

    assertThat(LoadTime.between(0, 1000, load, outages)).isEqualTo(700);
    assertThat(LoadTime.between(250, 550, load, outages)).isEqualTo(200);
    assertThat(LoadTime.gaps(load, outages))
        .containsExactly(new LoadTime.Gap(100, 300), new LoadTime.Gap(500, 600));
  }

  @Test
  void ofAnOlderRunWithoutEitherAllTheTimeCounts() {
    assertThat(LoadTime.between(10, 30, null, null)).isEqualTo(20);
  }
}
