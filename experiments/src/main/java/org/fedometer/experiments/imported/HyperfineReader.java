package org.fedometer.experiments.imported;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.CharConversionException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads hyperfine's {@code --export-json}: each time of a command is a request, with the command as
 * operation; an exit code other than 0 is a failure. One use, one thread.
 *
 * <p>Source: {@code BenchmarkResult} of hyperfine 1.20 ({@code times} in seconds, {@code
 * exit_codes}), and the exports of hyperfine 2.0 ({@code measurements} with {@code
 * time_wall_clock}).
 */
final class HyperfineReader implements MeasurementReader {
  /** About a million times; by default, a command is measured ten times. */
  private static final long MAX_BYTES = 64L << 20;

  private static final JsonMapper JSON = new JsonMapper(new JsonFactory());

  private final ImportChoices choices;
  private final InputStream in;
  private final ImportNotes notebook;
  private final Labels labels;
  private AddedTimes times;

  /**
   * @param in stays open
   */
  HyperfineReader(ImportChoices choices, InputStream in, ImportNotes notebook) {
    this.choices = choices;
    this.in = new Bounded(in);
    this.notebook = notebook;
    this.labels = new Labels(choices.ingestLabel());
  }

  @Override
  public void read(Requests requests) throws IOException {
    times = new AddedTimes(choices, notebook);
    notebook.workers(1);
    try (JsonParser json = JSON.createParser(in).disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new UnreadableMeasurementsException(
            "it is not a JSON object, as hyperfine writes with --export-json");
      }
      boolean read = false;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean results = json.currentName().equals("results");
        if (results && read) {
          throw new UnreadableMeasurementsException(
              "its JSON object has \"results\" twice; import each by itself");
        }
        read |= results;
        if (json.nextToken() == JsonToken.START_ARRAY && results) {
          while (json.nextToken() != JsonToken.END_ARRAY) {
            result(JSON.readTree(json), requests);
          }
        } else {
          json.skipChildren();
        }
      }
      if (json.nextToken() != null) {
        throw new UnreadableMeasurementsException(
            "it has more than one JSON object; import each by itself");
      }
    } catch (JsonProcessingException | CharConversionException e) {
      throw new UnreadableMeasurementsException(
          "it is not complete JSON, as hyperfine writes with --export-json");
    }
  }

  private void result(JsonNode result, Requests requests) throws IOException {
    String command = result.path("name").asText(result.path("command").asText(""));
    JsonNode measurements = result.path("measurements");
    if (measurements.isArray()) {
      for (JsonNode one : measurements) {
        measured(
            command,
            one.path("time_wall_clock").path("value"),
            one.path("exit_code"),
            unit(one.path("time_wall_clock").path("unit").asText("second")),
            requests);
      }
      return;
    }
    JsonNode seconds = result.path("times");
    if (!seconds.isArray()) {
      throw new UnreadableMeasurementsException(
          "a result has no times, only a summary: export it again with --export-json");
    }
    JsonNode exitCodes = result.path("exit_codes");
    if (!exitCodes.isArray() && !exitCodes.isMissingNode() && !exitCodes.isNull()) {
      throw new UnreadableMeasurementsException(
          "the exit codes of a result are not a list: export it again with --export-json");
    }
    if (exitCodes.isArray() && exitCodes.size() != seconds.size()) {
      throw new UnreadableMeasurementsException(
          "a result has "
              + seconds.size()
              + " times and "
              + exitCodes.size()
              + " exit codes: export it again with --export-json");
    }
    for (int i = 0; i < seconds.size(); i++) {
      measured(command, seconds.path(i), exitCodes.path(i), DurationUnit.S, requests);
    }
  }

  private static DurationUnit unit(String name) {
    return switch (name) {
      case "second" -> DurationUnit.S;
      case "millisecond" -> DurationUnit.MS;
      case "microsecond" -> DurationUnit.US;
      case "nanosecond" -> DurationUnit.NS;
      default -> throw new UnreadableMeasurementsException("its times are in an unknown unit");
    };
  }

  private void measured(
      String command, JsonNode time, JsonNode exitCode, DurationUnit unit, Requests requests)
      throws IOException {
    long nanos = Numbers.durationNanos(time.asText(""), unit);
    long number = requests.count() + 1;
    if (nanos < 0) {
      throw new UnreadableMeasurementsException(
          "time " + number + ": " + Numbers.why(nanos, "it", unit));
    }
    // Null for a command that was ended by a signal.
    boolean succeeded = exitCode.isMissingNode() || exitCode.isInt() && exitCode.intValue() == 0;
    requests.add(
        labels.operation(command, number),
        times.startOf(nanos, number),
        nanos,
        succeeded,
        exitCode.isInt() ? "exit code " + exitCode.intValue() : "ended by a signal");
  }

  /** Limits the input, since its tree is held in memory. */
  private static final class Bounded extends FilterInputStream {
    private long bytes;

    Bounded(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      return count(in.read(), 1);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = in.read(buffer, offset, length);
      return count(count, count);
    }

    private int count(int result, int more) {
      bytes += result < 0 ? 0 : more;
      if (bytes > MAX_BYTES) {
        throw new UnreadableMeasurementsException(
            "it is larger than " + (MAX_BYTES >> 20) + " MiB, the limit for results of hyperfine");
      }
      return result;
    }
  }
}
