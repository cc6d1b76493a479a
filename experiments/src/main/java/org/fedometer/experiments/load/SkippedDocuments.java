package org.fedometer.experiments.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.UnusableDataException;
import org.fedometer.datasets.UnusableDocument;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.job.JobListener;

/** Reports documents of the dataset that a run skips at the user's request. Stateless. */
public final class SkippedDocuments {
  /** Path in the run folder. */
  public static final String PATH = "skipped.txt";

  private SkippedDocuments() {}

  /** Reports the first of them, and the dataset's notes. */
  public static void report(Dataset dataset, JobListener listener) {
    if (!dataset.skipped().isEmpty()) {
      listener.note(
          UnusableDataException.skippedMessage(dataset.skipped(), PATH + " of the run's folder"));
    }
    dataset.notes().forEach(listener::note);
  }

  /** Lists all of them in the run folder. */
  public static void ship(Dataset dataset, RunShipment shipment) throws IOException {
    if (!dataset.skipped().isEmpty()) {
      shipment.document(
          PATH, UnusableDocument.listing(dataset.skipped()).getBytes(StandardCharsets.UTF_8));
    }
  }
}
