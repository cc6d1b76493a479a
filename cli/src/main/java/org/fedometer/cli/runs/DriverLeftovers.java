package org.fedometer.cli.runs;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.experiments.record.UnfinishedJobs;
import org.fedometer.wire.SafeLine;

/** Files that drivers of a deleted run have left in their host's store. Stateless. */
final class DriverLeftovers {
  private DriverLeftovers() {}

  /**
   * Deletes the files and prints remaining ones on {@code err}.
   *
   * @return false if not all could be deleted
   */
  static boolean delete(Path store, String run, PrintWriter err) {
    try {
      UnfinishedJobs.deleteJournals(store, run)
          .forEach(leftover -> err.println("fedometer: " + SafeLine.of(leftover)));
      return true;
    } catch (IOException e) {
      err.println(
          "fedometer: the journals of " + run + " are not deleted: " + PlainErrors.message(e));
      return false;
    }
  }
}
