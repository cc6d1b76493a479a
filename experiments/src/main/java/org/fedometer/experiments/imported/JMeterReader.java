package org.fedometer.experiments.imported;

import java.io.IOException;
import java.util.Arrays;
import org.fedometer.wire.record.RequestEncoder;

/**
 * Reads JMeter's results as CSV, with the columns of the first line or the default ones. A sample
 * is a request, its label an operation. One use, one thread.
 *
 * <p>Source: {@code CSVSaveService} and {@code SampleSaveConfiguration} of JMeter 5.6.
 */
final class JMeterReader implements MeasurementReader {
  /** A test with more renames its threads continually. */
  private static final int MAX_THREADS = 10_000;

  private final ImportChoices choices;
  private final RecordReader records;
  private final ImportNotes notebook;
  private final Fields fields = new Fields();
  private final Labels labels;
  private final NameTable threads = new NameTable(MAX_THREADS);
  private boolean threadsKnown = true;
  private JMeterColumns columns;
  private byte[] header = {};

  /** Null if the file has times. */
  private AddedTimes times;

  JMeterReader(ImportChoices choices, RecordReader records, ImportNotes notebook) {
    this.choices = choices;
    this.records = records;
    this.notebook = notebook;
    this.labels = new Labels(choices.ingestLabel());
  }

  @Override
  public void read(Requests requests) throws IOException {
    if (!records.next()) {
      return;
    }
    boolean any = findColumns();
    assume();
    while (any || records.next()) {
      any = false;
      if (header.length > 0 && isHeader()) {
        notebook.skip(
            records.line(),
            "line that names the columns again",
            "lines that name the columns again");
      } else {
        measured(requests);
      }
    }
    notebook.workers(columns.threadName() >= 0 && threadsKnown ? threads.count() : 0);
  }

  /** Returns whether the first record is a sample. */
  private boolean findColumns() {
    byte[] bytes = records.bytes();
    columns = JMeterColumns.ofHeader(bytes, records.from(), records.to());
    if (columns != null) {
      header = Arrays.copyOfRange(bytes, records.from(), records.to());
      return false;
    }
    columns = JMeterColumns.ofDefaults(bytes, records.from(), records.to());
    if (columns == null) {
      throw new UnreadableMeasurementsException(
          "line "
              + records.line()
              + " neither names JMeter's columns (timeStamp, elapsed, label ...) nor has them in"
              + " JMeter's order: "
              + records.shown()
              + "; put the names into the first line, as JMeter does with"
              + " jmeter.save.saveservice.print_field_names=true");
    }
    notebook.assume("The file names no columns: JMeter's default ones are assumed.");
    return true;
  }

  private void assume() {
    if (columns.timeStamp() >= 0 && choices.started() != null) {
      throw new UnreadableMeasurementsException(
          "--start-time is for a file without times: this one has time stamps");
    }
    if (columns.label() < 0 && choices.ingestLabel() != null) {
      throw new UnreadableMeasurementsException(
          "--ingest-label names a label, and this file has none: all its requests are ingests");
    }
    if (columns.timeStamp() < 0) {
      times = new AddedTimes(choices, notebook);
    } else {
      notebook.assume(
          "Time stamps are assumed to be the starts of requests, the default of JMeter"
              + " (sampleresult.timestamp.start=true); times and durations are in whole"
              + " milliseconds.");
    }
    if (columns.success() < 0) {
      notebook.assume(
          columns.responseCode() < 0
              ? "The file does not show which requests failed: all count as successful."
              : "The file has no column success: requests with response codes from 200 to"
                  + " 399 count as successful.");
    }
    if (columns.label() < 0) {
      notebook.assume("The file has no labels: all requests count as ingests.");
    }
  }

  private boolean isHeader() {
    return Arrays.equals(header, 0, header.length, records.bytes(), records.from(), records.to());
  }

  private void measured(Requests requests) throws IOException {
    if (!fields.split(records, columns.delimiter(), columns.fields())) {
      bad(fields.problem());
      return;
    }
    long nanos =
        Numbers.durationNanos(
            records.bytes(),
            fields.start(columns.elapsed()),
            fields.end(columns.elapsed()),
            DurationUnit.MS.nanos());
    if (nanos < 0) {
      bad("elapsed " + Numbers.why(nanos, shown(columns.elapsed()), DurationUnit.MS));
      return;
    }
    if (columns.sampleCount() >= 0 && !fields.isIgnoringCase(columns.sampleCount(), "1")) {
      bad(
          "it sums up SampleCount "
              + shown(columns.sampleCount())
              + " samples and has no single times (mode=Statistical)");
      return;
    }
    String operation = operation();
    if (operation == null) {
      bad("label " + shown(columns.label()) + " is not UTF-8: convert the file (iconv)");
      return;
    }
    Boolean succeeded = succeeded();
    if (succeeded == null) {
      bad("success " + shown(columns.success()) + " is neither true nor false");
      return;
    }
    // Last: a skipped line must not shift those that follow.
    long start = startNanos(nanos);
    if (start < 0) {
      bad(
          "timeStamp "
              + shown(columns.timeStamp())
              + " is not a time in milliseconds since 1970, which JMeter writes with"
              + " jmeter.save.saveservice.timestamp_format=ms");
      return;
    }
    int code = code();
    requests.add(
        operation,
        worker(),
        start,
        nanos,
        succeeded,
        code,
        !succeeded ? failureMessage() : RequestEncoder.succeeded(code) ? "" : answer());
  }

  /** Returns a negative value if there is none. */
  private long startNanos(long durationNanos) {
    if (times != null) {
      return times.startOf(durationNanos, records.line());
    }
    int column = columns.timeStamp();
    long millis = Numbers.whole(records.bytes(), fields.start(column), fields.end(column));
    return Numbers.isTime(millis) ? Numbers.epochNanos(millis) : -1;
  }

  private String operation() {
    int column = columns.label();
    return column < 0
        ? RequestEncoder.INGEST
        : labels.operation(
            records.bytes(), fields.start(column), fields.end(column), records.line(), true);
  }

  private int worker() {
    int column = columns.threadName();
    if (column < 0) {
      return 0;
    }
    int number = threads.numberOf(records.bytes(), fields.start(column), fields.end(column));
    threadsKnown &= number >= 0;
    return Math.max(0, number);
  }

  /** Returns null for any other value. */
  private Boolean succeeded() {
    int column = columns.success();
    if (column >= 0) {
      return fields.isIgnoringCase(column, "true")
          ? Boolean.TRUE
          : fields.isIgnoringCase(column, "false") ? Boolean.FALSE : null;
    }
    int code = code();
    return columns.responseCode() < 0 || (code >= 200 && code <= 399);
  }

  /** Returns 0 without a three-digit code. */
  private int code() {
    int column = columns.responseCode();
    if (column < 0 || fields.end(column) - fields.start(column) != 3) {
      return 0;
    }
    long code = Numbers.whole(records.bytes(), fields.start(column), fields.end(column));
    return code >= 100 ? (int) code : 0;
  }

  /** Returns the response of a success that its code does not show. */
  private String answer() {
    int column = columns.responseCode();
    return column < 0 || fields.isEmpty(column) ? "" : "response code " + fields.text(column);
  }

  private String failureMessage() {
    StringBuilder text = new StringBuilder();
    int code = code();
    if (columns.responseCode() >= 0
        && !fields.isEmpty(columns.responseCode())
        && (code == 0 || code <= 299)) {
      text.append("response code ").append(fields.text(columns.responseCode()));
    }
    append(text, columns.responseMessage());
    append(text, columns.failureMessage());
    return text.isEmpty() ? "failed" : text.toString();
  }

  private void append(StringBuilder text, int column) {
    if (column >= 0 && !fields.isEmpty(column)) {
      text.append(text.isEmpty() ? "" : ": ").append(fields.text(column));
    }
  }

  private String shown(int column) {
    return records.shown(fields.start(column), fields.end(column));
  }

  private void bad(String why) {
    notebook.bad(records, why);
  }
}
