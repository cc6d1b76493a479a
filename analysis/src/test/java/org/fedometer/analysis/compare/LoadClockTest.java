package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.compare.LoadClock.Stretch;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.Load;
import org.fedometer.store.RunDocument.Outage;
import org.fedometer.store.RunDocument.Pause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadClockTest {

  @TempDir private Path folder;

  private LoadClock clock(List<Pause> pauses, List<Outage> outages) throws Exception {
    StoredRun run = new StoredRun(folder, "paused");
    run.objects = 1;
    run.load = new Load(null, null, List.of(), pauses, List.of());
    run.outages = outages;
    RunDocument document = run.write().document();
    return LoadClock.of(document);
  }

  @Test
  void itStandsStillInPausesAndWhileTheDriverIsAwayOnceEvenWhereTheyOverlap() throws Exception {
    LoadClock clock =
        clock(
            new ArrayList<>(List.of(new Pause(100, 200), new Pause(500, 600))),
            List.of(
                new Outage(Outage.DRIVER, 150, 300, "it had ended"),
                new Outage(Outage.FEDORA, 700, 800, "no answer")));

    assertThat(clock.loadedNanos(50)).isEqualTo(50);
    assertThat(clock.loadedNanos(250)).isEqualTo(100);
    assertThat(clock.loadedNanos(400)).isEqualTo(200);
    assertThat(clock.loadedNanos(900)).as("Fedora's outage is its own").isEqualTo(600);
  }

  @Test
  void itGoesInTheStretchesBetweenPauses() throws Exception {
    LoadClock clock = clock(List.of(new Pause(100, 200), new Pause(500, 600)), List.of());

    assertThat(clock.stretches(0, 1_000))
        .containsExactly(new Stretch(0, 100), new Stretch(200, 500), new Stretch(600, 1_000));
    assertThat(clock.stretches(150, 400)).containsExactly(new Stretch(200, 400));
    assertThat(clock.stretches(50, 550))
        .containsExactly(new Stretch(50, 100), new Stretch(200, 500));
    assertThat(clock.stretches(610, 620)).containsExactly(new Stretch(610, 620));
    assertThat(clock.stretches(120, 180)).isEmpty();
  }

  @Test
  void itsTimesCanBeFoundOnTheOtherClock() throws Exception {
    LoadClock clock = clock(List.of(new Pause(100, 200), new Pause(500, 600)), List.of());

    for (long nanoTime : List.of(0L, 100L, 201L, 499L, 601L, 10_000L)) {
      assertThat(clock.nanoTime(clock.loadedNanos(nanoTime))).isEqualTo(nanoTime);
    }
    assertThat(clock.nanoTime(clock.loadedNanos(150))).isEqualTo(100);
  }
}
