package org.fedometer.analysis.logs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import org.fedometer.analysis.logs.RunLogs.Line;
import org.fedometer.store.RunView;
import org.fedometer.store.RunView.RunFile;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/** Prints a run's logs as JSON: one object, with one line of text per log line. One thread. */
public final class JsonLogs {

  public static final int SCHEMA = 1;

  private JsonLogs() {}

  /**
   * Prints the lines that pass a filter, then the log files kept with the run.
   *
   * @throws IllegalArgumentException if the filter is invalid; the message is one sentence
   */
  public static void write(RunView run, LogFilter filter, Writer out)
      throws IOException, QueryException {
    try (Query query = run.query();
        JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
      json.writeStartObject();
      json.writeNumberField("schema", SCHEMA);
      json.writeStringField("run", run.name());
      json.writeArrayFieldStart("lines");
      RunLogs.forEach(query, filter, line -> write(json, line));
      json.writeEndArray();
      json.writeArrayFieldStart("files");
      for (RunFile file : RunLogs.files(run)) {
        json.writeStartObject();
        json.writeStringField("path", file.path());
        json.writeNumberField("bytes", file.sizeBytes());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private static void write(JsonGenerator json, Line line) throws IOException {
    json.writeRaw('\n');
    json.writeStartObject();
    json.writeStringField(
        "time",
        line.epochNanos() == null ? null : Instant.ofEpochSecond(0, line.epochNanos()).toString());
    json.writeStringField("source", line.source());
    json.writeStringField("name", line.sourceName());
    json.writeStringField("level", line.level());
    json.writeStringField("logger", line.logger());
    json.writeStringField("thread", line.thread());
    json.writeNumberField("trace", line.trace());
    json.writeStringField("pid", line.pid());
    json.writeStringField("message", line.message());
    json.writeStringField("thrown", line.thrown());
    if (!line.context().isEmpty()) {
      json.writeStringField("context", line.context());
    }
    json.writeEndObject();
  }
}
