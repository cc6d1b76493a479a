package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.fedometer.driver.journal.Journal;

/** How far drivers are, by their journals. */
final class Journals {
  private Journals() {}

  /** Returns the journal's folder. */
  static Path of(Fedometer fedometer, String run) {
    return fedometer.store().resolve("journals").resolve(run);
  }

  /**
   * Returns the number of begun objects; for one of several drivers, includes those of the others
   * before them.
   */
  static long begun(Path journal) throws IOException {
    return Journal.read(journal).nextIndex();
  }

  /** Until the driver has begun so many objects; fails when it ends before. */
  static void awaitBegun(Fedometer.Call driver, Path journal, long objects) {
    await()
        .atMost(Site.TIMEOUT)
        .pollInterval(Duration.ofMillis(10))
        .ignoreExceptions()
        .failFast(
            "the driver ended early",
            () -> assertThat(driver.process().isAlive()).as(driver.err()).isTrue())
        .until(() -> begun(journal) >= objects);
  }

  /** Until the driver has begun so many objects more than it has now. */
  static void awaitMore(Fedometer.Call driver, Path journal, long objects) {
    long begun =
        await().atMost(Site.TIMEOUT).ignoreExceptions().until(() -> begun(journal), any -> true);
    awaitBegun(driver, journal, begun + objects);
  }
}
