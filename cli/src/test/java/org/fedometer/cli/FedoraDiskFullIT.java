package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ingest during which the disk of Fedora's objects, or of its database, has no byte left. Fedora
 * then answers 500 to some requests and not to others.
 */
@Tag("endurance-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FedoraDiskFullIT {
  private static final Duration PATIENCE = Site.PATIENCE;
  private static final int OBJECTS = 300;

  private SmallDisk databaseDisk;
  private SmallDisk objectsDisk;
  private Site site;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    databaseDisk = SmallDisk.mount(folder.resolve("database"), 256);
    site =
        new Site(
            folder,
            "mptstore-postgresql",
            "database.dataFolder=" + databaseDisk.folder(),
            "database.max_wal_size=64MB");
    site.down();
    Path data = site.home().resolve("fedora/data");
    Path before = data.resolveSibling("data-before");
    Files.move(data, before);
    objectsDisk = SmallDisk.mount(data, 64);
    Process copy = new ProcessBuilder("cp", "-a", before + "/.", data.toString()).start();
    assertThat(copy.waitFor()).isZero();
    site.up();
  }

  @AfterAll
  void takeDown() throws Exception {
    try {
      if (objectsDisk != null) {
        site.down();
      }
    } finally {
      if (objectsDisk != null) {
        objectsDisk.close();
      }
      if (site != null) {
        site.close();
      }
      if (databaseDisk != null) {
        databaseDisk.close();
      }
    }
  }

  @Test
  void aFedoraWhoseObjectsFindNoRoomHasThemAllWhenThereIsRoom() throws Exception {
    Trials.of("fedora-disk-full", trial -> fill(trial, objectsDisk, "objects"));
  }

  @Test
  void aDatabaseThatFindsNoRoomHasAllWhenThereIsRoom() throws Exception {
    Trials.of("database-disk-full", trial -> fill(trial, databaseDisk, "database"));
  }

  private void fill(Trials.Trial trial, SmallDisk disk, String which) throws Exception {
    String name = which + "-" + trial.number();
    Fedometer.Call driver = site.startIngest(name, OBJECTS, "--max-errors", "10");
    int moment = trial.between(10, OBJECTS / 2);
    long fullNanos;
    try {
      site.awaitBegun(driver, name, moment);
      fullNanos = System.nanoTime();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                disk.fill();
                assertThat(driver.process().isAlive()).as("the driver goes on").isFalse();
              });
    } finally {
      driver.process().destroyForcibly(); // of a trial that failed
      disk.makeRoom();
    }
    trial.note("endedSeconds", Math.round((System.nanoTime() - fullNanos) / 1e8) / 10.0);
    driver.expect(ExitCode.DONE_WITH_ERRORS);
    assertThat(driver.err())
        .contains("More than the 10 objects that may fail have failed", "ingest --resume " + name);

    Fedometer.Call resumed = site.fedometer().startWithStore("ingest", "--resume", name, "--json");
    JsonNode report = site.reportAfterRepair(resumed, name);
    Reports.assertWhole(report, OBJECTS);
    trial.note("fullAtObject", moment);
    trial.note("objects", OBJECTS);
    trial.note("repaired", resumed.process().exitValue() != ExitCode.DONE);
  }
}
