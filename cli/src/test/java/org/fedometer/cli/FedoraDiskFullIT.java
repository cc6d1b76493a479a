package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ingest during which the disk of Fedora's objects, or of its database, has no byte left. Fedora
 * then answers 500 to some requests and not to others. Each trial has a Fedora and a disk of its
 * own, so that the disk is as large for the last as for the first.
 */
@Tag("endurance")
class FedoraDiskFullIT {
  private static final Duration TIMEOUT = Site.TIMEOUT;
  private static final int OBJECTS = 300;

  @TempDir private Path folder;

  @Test
  void recoversFromAFullObjectDisk() throws Exception {
    Trials.of(
        "fedora-disk-full",
        trial -> {
          try (Site site = new Site(folderOf(trial), "mptstore-postgresql")) {
            site.down();
            Path data = site.home().resolve("fedora/data");
            Path before = data.resolveSibling("data-before");
            Files.move(data, before);
            try (SmallDisk disk = SmallDisk.mount(data, 64)) {
              Process copy = new ProcessBuilder("cp", "-a", before + "/.", data.toString()).start();
              assertThat(copy.waitFor()).isZero();
              site.up();
              fillDisk(trial, site, disk);
              site.down();
            }
          }
        });
  }

  @Test
  void recoversFromAFullDatabaseDisk() throws Exception {
    Trials.of(
        "database-disk-full",
        trial -> {
          Path own = folderOf(trial);
          try (SmallDisk disk = SmallDisk.mount(own.resolve("database"), 256);
              Site site =
                  new Site(
                      own,
                      "mptstore-postgresql",
                      "database.dataFolder=" + disk.folder(),
                      "database.max_wal_size=64MB")) {
            fillDisk(trial, site, disk);
          }
        });
  }

  private Path folderOf(Trials.Trial trial) throws Exception {
    return Files.createDirectory(folder.resolve("trial-" + trial.number()));
  }

  private static void fillDisk(Trials.Trial trial, Site site, SmallDisk disk) throws Exception {
    String name = "full";
    Fedometer.Call driver = site.startIngest(name, OBJECTS, "--max-errors", "10");
    int moment = trial.between(10, OBJECTS / 2);
    long fullNanos;
    try {
      site.awaitBegun(driver, name, moment);
      fullNanos = System.nanoTime();
      await()
          .atMost(TIMEOUT)
          .untilAsserted(
              () -> {
                disk.fill();
                assertThat(driver.process().isAlive()).as("the driver goes on").isFalse();
              });
    } finally {
      driver.process().destroyForcibly(); // of a failed trial
      disk.free();
    }
    trial.noteSecondsSince("endedSeconds", fullNanos);
    driver.expect(ExitCode.DONE_WITH_ERRORS);
    // A database may have space for all remaining objects, but not for their triples.
    assertThat(driver.err())
        .containsAnyOf("More than 10 objects failed (--max-errors)", "drain failed: ")
        .contains("ingest --resume " + name);

    Fedometer.Call resumed = site.fedometer().startWithStore("ingest", "--resume", name, "--json");
    JsonNode report = site.reportAfterRepair(resumed, name);
    Reports.assertComplete(report, OBJECTS);
    Reports.assertRecordedOnce(site.fedometer(), report, OBJECTS, 0);
    trial.note("fullAtObject", moment);
    trial.note("objects", OBJECTS);
    trial.note("repaired", resumed.process().exitValue() != ExitCode.DONE);
  }
}
