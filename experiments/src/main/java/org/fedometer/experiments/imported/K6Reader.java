package org.fedometer.experiments.imported;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads k6's {@code --out json} or {@code --out csv}. Each value of the metric {@code
 * http_req_duration} or {@code grpc_req_duration} is a request, in milliseconds, at its end time.
 * Method and name are the operation. A gRPC call with status 0 is a success. One use, one thread.
 *
 * <p>Source: k6's documentation of its outputs, and {@code output/csv}, {@code output/json} and
 * {@code lib/netext/httpext} of k6 0.49: a sample's time is the end of the request.
 */
final class K6Reader implements MeasurementReader {
  private static final String GRPC = "grpc_req_duration";
  private static final Set<String> METRICS = Set.of("http_req_duration", GRPC);

  /** At most a long. */
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}|[1-8][0-9]{18}");

  private static final JsonFactory JSON = new JsonFactory();

  private final RecordReader records;
  private final ImportNotes notebook;
  private final Labels labels;
  private final Fields fields = new Fields();

  /** Columns of CSV by name; null for JSON. */
  private Map<String, Integer> columns;

  K6Reader(ImportChoices choices, RecordReader records, ImportNotes notebook) {
    this.records = records;
    this.notebook = notebook;
    this.labels = new Labels(choices.ingestLabel());
  }

  @Override
  public void read(Requests requests) throws IOException {
    notebook.assume(
        "k6 writes the end of a request: its start is the end less the duration, which"
            + " excludes the time to connect. The user that sent it is not imported.");
    boolean first = true;
    while (records.next()) {
      if (first && !records.startsWith("{")) {
        nameColumns();
        first = false;
        continue;
      }
      first = false;
      Map<String, String> point = columns == null ? ofJson() : ofCsv();
      if (point != null) {
        measured(requests, point);
      }
    }
  }

  private void nameColumns() {
    columns = new HashMap<>();
    if (fields.split(records.bytes(), records.from(), records.to(), (byte) ',')) {
      for (int i = 0; i < fields.count(); i++) {
        columns.putIfAbsent(fields.text(i), i);
      }
    }
    if (!columns.keySet().containsAll(Set.of("metric_name", "timestamp", "metric_value"))) {
      throw new UnreadableMeasurementsException(
          "line "
              + records.line()
              + " is neither JSON nor names k6's columns (metric_name,timestamp,metric_value ...): "
              + records.shown());
    }
    records.respectQuotes(); // an error may span several lines
    notebook.assume("k6's CSV has times in whole seconds, unless K6_CSV_TIME_FORMAT is set.");
  }

  private Map<String, String> ofCsv() {
    if (!fields.split(records, (byte) ',', columns.size())) {
      return bad(fields.problem());
    }
    Map<String, String> point = new HashMap<>();
    columns.forEach((name, column) -> point.put(name, fields.text(column)));
    return point;
  }

  /** Returns a JSON point by the names of the CSV columns; null for another line. */
  private Map<String, String> ofJson() {
    Map<String, String> point = new HashMap<>();
    String type = "";
    try (JsonParser json =
        JSON.createParser(records.bytes(), records.from(), records.to() - records.from())) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return bad(records.shown() + " is not a JSON object");
      }
      String path = "";
      int depth = 1;
      while (depth > 0) {
        JsonToken token = json.nextToken();
        if (token == null) {
          return bad("the object is not closed");
        } else if (token.isStructStart()) {
          depth++;
          path = depth == 2 ? String.valueOf(json.currentName()) : path;
        } else if (token.isStructEnd()) {
          depth--;
        } else if (token.isScalarValue() && json.currentName() != null) {
          String name = json.currentName();
          String value = token == JsonToken.VALUE_NULL ? "" : json.getText();
          if (depth == 1 && name.equals("type")) {
            type = value;
          } else if (depth == 1 && name.equals("metric")) {
            point.put("metric_name", value);
          } else if (depth == 2 && path.equals("data") && name.equals("time")) {
            point.put("timestamp", value);
          } else if (depth == 2 && path.equals("data") && name.equals("value")) {
            point.put("metric_value", value);
          } else if (depth == 3) {
            point.putIfAbsent(name, value);
          }
        }
      }
      if (json.nextToken() != null) {
        return bad("something follows the JSON object");
      }
    } catch (IOException e) {
      return bad(records.shown() + " is not JSON");
    }
    if (type.equals("Point")) {
      return point;
    }
    skip();
    return null;
  }

  private void measured(Requests requests, Map<String, String> point) throws IOException {
    if (!METRICS.contains(point.getOrDefault("metric_name", ""))) {
      skip();
      return;
    }
    String value = point.getOrDefault("metric_value", "");
    long nanos = Numbers.durationNanos(value, DurationUnit.MS);
    if (nanos < 0) {
      bad(Numbers.why(nanos, "\"" + Texts.cut(value, 60) + "\"", DurationUnit.MS));
      return;
    }
    long end = endNanos(point.getOrDefault("timestamp", ""));
    if (end < 0) {
      bad("its time is not between 1990 and 2100");
      return;
    }
    int status = status(point);
    boolean succeeded = succeeded(point, status);
    requests.add(
        operation(point),
        0,
        end - nanos,
        nanos,
        succeeded,
        status,
        succeeded ? "" : failureMessage(point, status));
  }

  private String operation(Map<String, String> point) {
    String name = point.getOrDefault("name", "");
    String method = point.getOrDefault("method", "");
    String separator = method.isEmpty() || name.isEmpty() ? "" : " ";
    return labels.operation(method + separator + name, records.line());
  }

  /** Returns 0 without a response. */
  private static int status(Map<String, String> point) {
    String text = point.getOrDefault("status", "");
    long status = text.length() == 3 ? Numbers.whole(text) : 0;
    return status >= 100 ? (int) status : 0;
  }

  /** Returns whether the script, or by default k6, expected the response. */
  private boolean succeeded(Map<String, String> point, int status) {
    String expected = point.getOrDefault("expected_response", "");
    if (!expected.isEmpty()) {
      return expected.equals("true");
    }
    boolean error =
        !point.getOrDefault("error", "").isEmpty()
            || !point.getOrDefault("error_code", "").isEmpty();
    if (!error && point.getOrDefault("status", "").isEmpty()) {
      // K6_SYSTEM_TAGS can exclude all of them.
      notebook.assume(
          "Requests without a status, an expected_response and an error count as successful.");
    }
    return !error && (status == 0 ? isSuccess(point) : status <= 399);
  }

  /** Returns the result of a non-HTTP status: 0 is a success for gRPC. */
  private static boolean isSuccess(Map<String, String> point) {
    String status = point.getOrDefault("status", "");
    return status.isEmpty() || isGrpc(point) && status.equals("0");
  }

  private static boolean isGrpc(Map<String, String> point) {
    return GRPC.equals(point.get("metric_name"));
  }

  private static String failureMessage(Map<String, String> point, int status) {
    String error = point.getOrDefault("error", "");
    if (!error.isBlank()) {
      return error;
    }
    if (isGrpc(point)) {
      return "gRPC status " + point.getOrDefault("status", "");
    }
    return status == 0 ? "no answer" : "response code " + status;
  }

  /** Returns nanoseconds since 1970; negative for an invalid time. */
  private static long endNanos(String time) {
    if (time.contains("T")) {
      try {
        Instant instant = OffsetDateTime.parse(time).toInstant();
        return Numbers.isTime(instant)
            ? Numbers.epochNanos(instant.toEpochMilli()) + instant.getNano() % 1_000_000
            : -1;
      } catch (DateTimeException e) {
        return -1;
      }
    }
    if (!NUMBER.matcher(time).matches()) {
      return -1;
    }
    long count = Long.parseLong(time);
    int digits = time.length();
    // Seconds, milliseconds, microseconds or nanoseconds: a current time has 10, 13, 16 or 19
    // digits.
    long nanosOfOne =
        digits <= 10 ? 1_000_000_000 : digits <= 13 ? 1_000_000 : digits <= 16 ? 1000 : 1;
    long millis =
        nanosOfOne >= 1_000_000
            ? count * (nanosOfOne / 1_000_000)
            : count / (1_000_000 / nanosOfOne);
    return Numbers.isTime(millis)
        ? Numbers.epochNanos(millis)
            + (nanosOfOne >= 1_000_000 ? 0 : count * nanosOfOne % 1_000_000)
        : -1;
  }

  private void skip() {
    notebook.skip(records.line(), "line of another metric", "lines of other metrics");
  }

  private Map<String, String> bad(String why) {
    notebook.bad(records, why);
    return null;
  }
}
