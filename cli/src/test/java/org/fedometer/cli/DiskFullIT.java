package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.driver.journal.Journal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** An ingest during which the disk of its collector, or of its driver, has no byte left. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiskFullIT {
  private static final Duration PATIENCE = Site.PATIENCE;
  private static final int OBJECTS = 200;

  /** Has work for the blocks that the driver's journal and its collector's segment had begun. */
  private static final int MORE_OBJECTS = 600;

  private Site site;
  private Path folder;

  @BeforeAll
  void bringUp(@TempDir Path temporary) throws Exception {
    folder = temporary;
    site = new Site(folder, "mptstore-postgresql");
  }

  @AfterAll
  void takeDown() throws Exception {
    site.close();
  }

  @Test
  @Tag("endurance-only")
  void sourcesOfACollectorWhoseDiskIsFullKeepWhatTheyHaveUntilThereIsRoom() throws Exception {
    Trials.of(
        "collector-disk-full",
        trial -> {
          String name = "collector-" + trial.number();
          int moment = trial.between(10, OBJECTS / 2);
          int further = trial.between(20, OBJECTS - moment);
          try (SmallDisk disk = SmallDisk.mount(folder.resolve(name), 32);
              TimedIngest ingest =
                  new TimedIngest(site, disk.folder().resolve("store"), name, OBJECTS)) {
            site.awaitBegun(ingest.driver(), name, moment);
            disk.fill();
            long fullNanos = System.nanoTime();
            await()
                .atMost(PATIENCE)
                .untilAsserted(
                    () -> {
                      disk.fill();
                      assertThat(ingest.collector().err())
                          .contains("cannot write to", "No space left on device");
                    });
            await()
                .atMost(PATIENCE)
                .untilAsserted(
                    () ->
                        assertThat(ingest.agent().at("/connectionError").asText())
                            .contains("No space left on device"));
            site.awaitBegun(ingest.driver(), name, moment + further);

            disk.makeRoom();
            trial.note("fullSeconds", Math.round((System.nanoTime() - fullNanos) / 1e8) / 10.0);
            trial.note("fullAtObject", moment);
            ingest.assertAllIsKept(trial);
          }
        });
  }

  @Test
  @Tag("endurance")
  void aDriverWhoseDiskIsFullEndsWithASentenceAndGoesOnWhenThereIsRoom() throws Exception {
    Trials.of(
        "driver-disk-full",
        trial -> {
          String name = "driver-" + trial.number();
          try (SmallDisk disk = SmallDisk.mount(folder.resolve(name), 32)) {
            Path store = disk.folder().resolve("store");
            Fedometer.Call driver = start(store, name);
            int moment = trial.between(10, OBJECTS);
            try {
              awaitBegun(driver, store.resolve("journals").resolve(name), moment);
              trial.note("noticedSeconds", fillUntilTold(disk, driver));
              disk.makeRoom();
              driver.await(PATIENCE).expect(ExitCode.DONE_WITH_ERRORS);
            } finally {
              driver.process().destroyForcibly(); // of a trial that failed
            }
            assertThat(driver.err())
                .contains(
                    "No space left on device", "ingest --resume " + name, "goes on from here");

            JsonNode report =
                site.fedometer()
                    .start("ingest", "--resume", name, "--store", store.toString(), "--json")
                    .await(PATIENCE)
                    .expect(ExitCode.DONE)
                    .json();
            Reports.assertWhole(report, MORE_OBJECTS);
            trial.note("fullAtObject", moment);
            trial.note("objects", MORE_OBJECTS);
          }
        });
  }

  /** Returns after how many seconds. */
  private static double fillUntilTold(SmallDisk disk, Fedometer.Call driver) {
    long fullNanos = System.nanoTime();
    await()
        .atMost(PATIENCE)
        .failFast("the driver ended", () -> !driver.process().isAlive())
        .untilAsserted(
            () -> {
              disk.fill();
              assertThat(driver.err()).contains("The journal could not be written");
            });
    return Math.round((System.nanoTime() - fullNanos) / 1e8) / 10.0;
  }

  private Fedometer.Call start(Path store, String name) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("ingest", "--name", name, "--namespace", name, "--json"));
    arguments.addAll(List.of("--target", site.target().toString()));
    arguments.addAll(List.of("--password-file", site.passwordFile().toString()));
    arguments.addAll(List.of("--dataset", "patents:small", "--longest-literal", "2692"));
    arguments.addAll(List.of("--objects", Integer.toString(MORE_OBJECTS), "--confirm-every", "1s"));
    arguments.addAll(List.of("--store", store.toString()));
    return site.fedometer().start(arguments.toArray(String[]::new));
  }

  private static void awaitBegun(Fedometer.Call driver, Path journal, long objects) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .ignoreExceptions()
        .failFast(
            "the driver ended early",
            () -> assertThat(driver.process().isAlive()).as(driver.err()).isTrue())
        .until(() -> Journal.read(journal).nextIndex() >= objects);
  }
}
