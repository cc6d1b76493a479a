package org.fedometer.experiments.imported;

import java.io.InputStream;
import java.util.Locale;

/** A form in which other tools write down what they have measured. */
public enum ImportFormat {
  /** A duration a line, after an index or without one. */
  DURATIONS,

  /** JMeter's results as CSV. */
  JMETER,

  /** What YCSB writes with {@code measurementtype=raw}. */
  YCSB,

  /** What k6 writes with {@code --out json} or {@code --out csv}. */
  K6,

  /** Gatling's {@code simulation.log} as text. */
  GATLING,

  /** What hyperfine writes with {@code --export-json}. */
  HYPERFINE;

  /** As on the command line and in run.json. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What help and a shell offer. */
  @Override
  public String toString() {
    return id();
  }

  /** The stream that is read stays open. */
  MeasurementReader reader(ImportChoices choices, InputStream in, ImportNotes notebook) {
    return switch (this) {
      case DURATIONS -> new DurationsReader(choices, RecordReader.ofLines(in), notebook);
      // JMeter puts whole answers of a server into a field, and quotes what has a line feed in it.
      case JMETER -> new JMeterReader(choices, RecordReader.quoted(in), notebook);
      case YCSB -> new YcsbReader(choices, RecordReader.ofLines(in), notebook);
      case K6 -> new K6Reader(choices, RecordReader.ofLines(in), notebook);
      case GATLING -> new GatlingReader(choices, RecordReader.ofLines(in), notebook);
      case HYPERFINE -> new HyperfineReader(choices, in, notebook);
    };
  }
}
