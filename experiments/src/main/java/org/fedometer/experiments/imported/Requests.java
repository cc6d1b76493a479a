package org.fedometer.experiments.imported;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.analysis.statistics.Resolution;
import org.fedometer.wire.record.RequestEncoder;

/** Numbers a reader's requests, sums them up, and passes them on. Not thread-safe. */
final class Requests {
  private static final int MAX_MESSAGE_CHARACTERS = 300;

  private final MeasurementSink sink;
  private final Resolution resolution;
  private final Map<String, Sum> byOperation = new HashMap<>();

  /** Most lines have the operation of the line before. */
  private String lastOperation = "";

  private Sum last;
  private long count;

  private static final class Sum {
    private long count;
    private long failed;
    private long firstStartNanos = Long.MAX_VALUE;
    private long lastEndNanos = Long.MIN_VALUE;
  }

  Requests(MeasurementSink sink, DurationUnit unit) {
    this.sink = sink;
    this.resolution = new Resolution(unit.nanos());
  }

  long count() {
    return count;
  }

  /** Adds a request of a tool without workers and HTTP statuses. */
  void add(
      String operation, long startNanos, long durationNanos, boolean succeeded, String complaint)
      throws IOException {
    add(operation, 0, startNanos, durationNanos, succeeded, 0, succeeded ? "" : complaint);
  }

  /**
   * @param code HTTP status, or 0; overridden by {@code succeeded}
   * @param message truncated if long
   */
  void add(
      String operation,
      int worker,
      long startNanos,
      long durationNanos,
      boolean succeeded,
      int code,
      String message)
      throws IOException {
    if (!operation.equals(lastOperation)) {
      last = byOperation.computeIfAbsent(operation, name -> new Sum());
      lastOperation = operation;
    }
    int status = RequestEncoder.succeeded(code) == succeeded ? code : succeeded ? 200 : 0;
    resolution.add(durationNanos);
    last.count++;
    last.failed += succeeded ? 0 : 1;
    last.firstStartNanos = Math.min(last.firstStartNanos, startNanos);
    last.lastEndNanos = Math.max(last.lastEndNanos, startNanos + durationNanos);
    sink.measured(
        count++,
        operation,
        worker,
        startNanos,
        durationNanos,
        status,
        Texts.cut(message, MAX_MESSAGE_CHARACTERS));
  }

  ImportOverview overview(String sha256, ImportNotes notebook, ImportChoices choices) {
    Map<String, ImportOverview.Operation> operations = new HashMap<>();
    byOperation.forEach(
        (name, sum) ->
            operations.put(
                name,
                new ImportOverview.Operation(
                    sum.count, sum.failed, sum.firstStartNanos, sum.lastEndNanos)));
    return new ImportOverview(
        sha256,
        count,
        operations,
        !notebook.timesAdded() || choices.started() != null,
        notebook.workers(),
        resolution.nanos(),
        notebook.messages());
  }
}
