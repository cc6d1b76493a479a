package org.fedometer.experiments.imported;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Collectors;
import org.fedometer.wire.Counted;
import org.fedometer.wire.record.RequestEncoder;

/**
 * The measurements in a file. They are read twice: once for inspection, so that a file with an
 * invalid last line leaves nothing behind, and once to be sent. Memory does not grow with the file.
 * Not thread-safe.
 *
 * <pre>{@code
 * ImportedMeasurements measurements = new ImportedMeasurements(file, choices);
 * ImportOverview overview = measurements.inspect();
 * measurements.send(overview, sink);
 * }</pre>
 */
public final class ImportedMeasurements {
  private static final int MAX_LABELS_SHOWN = 10;

  private final MeasuredFile file;
  private final ImportChoices choices;

  public ImportedMeasurements(MeasuredFile file, ImportChoices choices) {
    this.file = file;
    this.choices = choices;
  }

  /**
   * Reads the file and keeps only the overview.
   *
   * @throws UnreadableMeasurementsException with a one-sentence message, if the file has another
   *     format, has invalid lines that are not to be skipped, or has no measurement
   */
  public ImportOverview inspect() throws IOException {
    ImportNotes notebook = new ImportNotes();
    ImportOverview overview =
        read((number, operation, worker, start, duration, status, message) -> {}, notebook);
    if (notebook.badLines() > 0 && !choices.skipInvalid()) {
      throw unreadable(
          Counted.of(notebook.badLines(), "line is broken: ", "lines are broken, the first: ")
              + notebook.firstBad()
              + "; correct "
              + (notebook.badLines() == 1 ? "it" : "them")
              + ", or skip invalid lines with --skip-invalid");
    }
    if (overview.requests() == 0) {
      throw unreadable(
          "it has no measurement of --format "
              + choices.format().id()
              + (notebook.badLines() > 0 ? "; " + notebook.firstBad() : ""));
    }
    String label = choices.ingestLabel();
    if (label != null && !overview.operations().containsKey(RequestEncoder.INGEST)) {
      throw unreadable("no request has the label of --ingest-label; there are " + names(overview));
    }
    return overview;
  }

  /**
   * Reads the file again, and sends all requests.
   *
   * @param overview result of {@link #inspect}
   * @throws IOException also if the file has changed, or the sink fails
   */
  public void send(ImportOverview overview, MeasurementSink sink) throws IOException {
    try {
      if (read(sink, new ImportNotes()).sha256().equals(overview.sha256())) {
        return;
      }
    } catch (UnreadableMeasurementsException e) {
      // It was readable before.
    }
    throw new IOException(
        file.name() + " changed while it was read; import it when it is complete");
  }

  /** Returns the most frequent names, truncated. */
  public static String names(ImportOverview overview) {
    String names =
        overview.operations().entrySet().stream()
            .sorted((a, b) -> Long.compare(b.getValue().count(), a.getValue().count()))
            .limit(MAX_LABELS_SHOWN)
            .map(entry -> entry.getKey() + " (" + entry.getValue().count() + ")")
            .collect(Collectors.joining(", "));
    int more = overview.operations().size() - MAX_LABELS_SHOWN;
    return more > 0 ? names + " and " + more + " more" : names;
  }

  private ImportOverview read(MeasurementSink sink, ImportNotes notebook) throws IOException {
    Requests requests = new Requests(sink, choices.unit());
    try {
      String sha256 =
          file.read(
              content -> {
                InputStream in = new BufferedInputStream(content);
                in.mark(ForeignFormat.FIRST_BYTES);
                byte[] first = in.readNBytes(ForeignFormat.FIRST_BYTES);
                in.reset();
                String foreign = ForeignFormat.named(first, choices.format());
                if (!foreign.isEmpty()) {
                  throw new UnreadableMeasurementsException(foreign);
                }
                choices.format().reader(choices, in, notebook).read(requests);
              });
      return requests.overview(sha256, notebook, choices);
    } catch (UnreadableMeasurementsException e) {
      throw unreadable(e.getMessage());
    }
  }

  private UnreadableMeasurementsException unreadable(String why) {
    return new UnreadableMeasurementsException(file.name() + ": " + why);
  }
}
