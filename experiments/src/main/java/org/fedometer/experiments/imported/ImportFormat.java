package org.fedometer.experiments.imported;

import java.io.InputStream;
import java.util.Locale;

/** Format of other tools' measurements. */
public enum ImportFormat {
  /** A duration per line, with or without an index. */
  DURATIONS,

  /** JMeter's results as CSV. */
  JMETER,

  /** YCSB's {@code measurementtype=raw}. */
  YCSB,

  /** k6's {@code --out json} or {@code --out csv}. */
  K6,

  /** Gatling's {@code simulation.log} as text. */
  GATLING,

  /** hyperfine's {@code --export-json}. */
  HYPERFINE;

  /** Returns the name used on the command line and in run.json. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name that help and shell completion show. */
  @Override
  public String toString() {
    return id();
  }

  /**
   * @param in stays open
   */
  MeasurementReader reader(ImportChoices choices, InputStream in, ImportNotes notebook) {
    return switch (this) {
      case DURATIONS -> new DurationsReader(choices, RecordReader.ofLines(in), notebook);
      // JMeter stores whole server responses in a field, and quotes those with line feeds.
      case JMETER -> new JMeterReader(choices, RecordReader.quoted(in), notebook);
      case YCSB -> new YcsbReader(choices, RecordReader.ofLines(in), notebook);
      case K6 -> new K6Reader(choices, RecordReader.ofLines(in), notebook);
      case GATLING -> new GatlingReader(choices, RecordReader.ofLines(in), notebook);
      case HYPERFINE -> new HyperfineReader(choices, in, notebook);
    };
  }
}
