package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** An ingest during which the disk of its collector, or of its driver, has no byte left. */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiskFullIT {
  private static final Duration TIMEOUT = Site.TIMEOUT;
  private static final int MEGABYTES = 32;

  /** Enough for the disk blocks that the driver's journal and its collector's segment had begun. */
  private static final int OBJECTS = 600;

  private Site site;
  private Path folder;

  @BeforeAll
  void bringUp(@TempDir Path temporary) throws Exception {
    folder = temporary;
    site = new Site(folder, "mptstore-postgresql");
  }

  @AfterAll
  void tearDown() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  @Test
  @Tag("endurance")
  void sourcesRetainFramesWhileTheCollectorDiskIsFull() throws Exception {
    Trials.of(
        "collector-disk-full",
        trial -> {
          String name = "collector-" + trial.number();
          try (SmallDisk disk = SmallDisk.mount(folder.resolve(name), MEGABYTES);
              CollectorInForeground collector =
                  new CollectorInForeground(
                      site.fedometer().withStore(disk.folder().resolve("store")));
              ObservedIngest ingest =
                  new ObservedIngest(
                      site,
                      collector,
                      name,
                      ObservedIngest.ENDLESS,
                      List.of(),
                      "--rate",
                      "20",
                      "--workers",
                      "4")) {
            int moment = trial.between(10, 100);
            ingest.awaitBegun(moment);
            disk.fill();
            long fullNanos = System.nanoTime();
            await()
                .atMost(TIMEOUT)
                .untilAsserted(
                    () -> {
                      disk.fill();
                      assertThat(collector.err())
                          .contains("cannot write to", "No space left on device");
                    });
            await()
                .atMost(TIMEOUT)
                .untilAsserted(
                    () ->
                        assertThat(ingest.agent().at("/connectionError").asText())
                            .contains("No space left on device"));
            ingest.awaitMore(trial.between(20, 100));

            disk.free();
            trial.noteSecondsSince("fullSeconds", fullNanos);
            trial.note("fullAtObject", moment);
            ingest.awaitMore(10);
            ingest.cutShort();
            collector.stop();
            ingest.assertUndisturbed(trial);
          }
        });
  }

  @Test
  void resumesADriverAfterItsDiskWasFull() throws Exception {
    Trials.of(
        "driver-disk-full",
        trial -> {
          String name = "driver-" + trial.number();
          try (SmallDisk disk = SmallDisk.mount(folder.resolve(name), MEGABYTES)) {
            Fedometer there = site.fedometer().withStore(disk.folder().resolve("store"));
            Fedometer.Call driver = site.startIngest(there, name, OBJECTS);
            int moment = trial.between(10, OBJECTS / 3);
            try {
              Journals.awaitBegun(driver, Journals.of(there, name), moment);
              long fullNanos = System.nanoTime();
              fillUntilReported(disk, driver);
              trial.noteSecondsSince("noticedSeconds", fullNanos);
              disk.free();
              driver.await(TIMEOUT).expect(ExitCode.DONE_WITH_ERRORS);
            } finally {
              driver.process().destroyForcibly(); // of a failed trial
            }
            assertThat(driver.err())
                .contains("No space left on device", "ingest --resume " + name, "resumes it");
            long begun = Journals.begun(Journals.of(there, name));

            JsonNode report = site.resume(there, name).expect(ExitCode.DONE).json();
            Reports.assertComplete(report, OBJECTS);
            trial.note("fullAtObject", moment);
            trial.note("objects", OBJECTS);
            trial.note(
                "requestsMissing", Reports.assertRecordedOnce(there, report, OBJECTS, begun));
          }
        });
  }

  private static void fillUntilReported(SmallDisk disk, Fedometer.Call driver) {
    String reported = "The journal could not be written";
    await()
        .atMost(TIMEOUT)
        .failFast(
            "the driver ended",
            () -> !driver.process().isAlive() && !driver.err().contains(reported))
        .untilAsserted(
            () -> {
              disk.fill();
              assertThat(driver.err()).contains(reported);
            });
  }
}
