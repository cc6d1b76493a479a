package org.fedometer.experiments.imported;

import java.io.IOException;

/**
 * Reads the text format of Gatling's {@code simulation.log}, up to version 3.11: fields separated
 * by tabs. A request's line has its name, start and end in milliseconds since 1970, and {@code OK}
 * or {@code KO} in this order, possibly among other fields. A message may follow. One use, one
 * thread.
 *
 * <p>Source: the serializers of {@code LogFileDataWriter} in Gatling 2.1, 2.3, 3.0 and 3.9. Version
 * 2.1 has four times, of the request and of the response.
 */
final class GatlingReader implements MeasurementReader {
  private static final String REQUEST = "REQUEST";

  private final RecordReader records;
  private final ImportNotes notebook;
  private final Labels labels;

  GatlingReader(ImportChoices choices, RecordReader records, ImportNotes notebook) {
    this.records = records;
    this.notebook = notebook;
    this.labels = new Labels(choices.ingestLabel());
  }

  @Override
  public void read(Requests requests) throws IOException {
    notebook.assume(
        "Gatling writes times in whole milliseconds; the user that sent a request is not"
            + " imported.");
    while (records.next()) {
      String[] fields = records.text().split("\t", -1);
      if (!fields[0].equals(REQUEST) && !(fields.length > 2 && fields[2].equals(REQUEST))) {
        notebook.skip(records.line(), "line that is not a request", "lines that are not requests");
      } else {
        measured(requests, fields);
      }
    }
  }

  private void measured(Requests requests, String[] fields) throws IOException {
    int status = fields.length;
    for (int i = 3; i < fields.length && status == fields.length; i++) {
      if ((fields[i].equals("OK") || fields[i].equals("KO"))
          && millis(fields[i - 1]) >= 0
          && millis(fields[i - 2]) >= 0) {
        status = i;
      }
    }
    int first = status;
    while (first > 1 && status < fields.length && millis(fields[first - 1]) >= 0) {
      first--;
    }
    if (status == fields.length || first == 1) {
      notebook.bad(records, records.shown() + " has no name, start, end and OK or KO");
      return;
    }
    long startMillis = millis(fields[first]);
    long endMillis = millis(fields[status - 1]);
    long nanos = (endMillis - startMillis) * DurationUnit.MS.nanos();
    if (nanos < 0 || nanos > Numbers.MAX_DURATION_NANOS) {
      notebook.bad(
          records,
          nanos < 0
              ? "the request ends before it begins"
              : "the request lasts longer than 30 days");
      return;
    }
    if (fields[first - 1].indexOf('\uFFFD') >= 0) { // two names may differ in just these bytes
      notebook.bad(records, "the request's name is not UTF-8: convert the file (iconv)");
      return;
    }
    requests.add(
        labels.operation(fields[first - 1], records.line()),
        Numbers.epochNanos(startMillis),
        nanos,
        fields[status].equals("OK"),
        message(fields, status + 1));
  }

  private static String message(String[] fields, int at) {
    String message = at < fields.length ? fields[at].strip() : "";
    return message.isEmpty() ? "KO" : message;
  }

  /** Returns a negative value for an invalid time. */
  private static long millis(String field) {
    long millis = Numbers.whole(field);
    return Numbers.isTime(millis) ? millis : -1;
  }
}
