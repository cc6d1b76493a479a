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
  YCSB;

  /** As on the command line and in run.json. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What help and a shell offer. */
  @Override
  public String toString() {
    return id();
  }

  MeasurementReader reader(ImportChoices choices, RecordReader records, Notebook notebook) {
    return switch (this) {
      case DURATIONS -> new DurationsReader(choices, records, notebook);
      case JMETER -> new JMeterReader(choices, records, notebook);
      case YCSB -> new YcsbReader(choices, records, notebook);
    };
  }

  /** JMeter puts whole answers of a server into a field, and quotes what has a line feed in it. */
  RecordReader records(InputStream in) {
    return this == JMETER ? RecordReader.quoted(in) : RecordReader.ofLines(in);
  }
}
