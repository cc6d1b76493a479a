package org.fedometer.experiments.imported;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Recognizes by its first bytes a file of another format than selected: an importable one, or one
 * without single requests. Stateless.
 */
final class ForeignFormat {
  /** Number of bytes for recognition. */
  static final int FIRST_BYTES = 4096;

  private static final Pattern GATLING_LINE =
      Pattern.compile(
          "(?m)^(?:RUN\\t|(?:USER|REQUEST|GROUP)\\t|ASSERTION\\t|[^\\t\\n]*\\t\\d*\\tREQUEST\\t)");

  private static final Pattern K6_JSON = Pattern.compile("\"type\"\\s*:\\s*\"(?:Metric|Point)\"");

  private static final Pattern K6_SUMMARY = Pattern.compile("\"(?:root_group|metrics)\"\\s*:");

  private static final Pattern HYPERFINE =
      Pattern.compile("(?s)^\\s*\\{.*\"results\"\\s*:\\s*\\[\\s*(?:\\{\\s*\"command\"\\s*:|\\])");

  private static final Pattern YCSB_RAW = Pattern.compile("(?m)^[A-Za-z][\\w-]*,\\d{12,13},\\d");
  private static final Pattern YCSB_SUMMARY = Pattern.compile("(?m)^\\[[A-Z][\\w-]*\\], ");

  private ForeignFormat() {}

  /**
   * Returns the file's actual format and advice, the end of a sentence; empty if it may have the
   * selected format.
   *
   * @param first bytes of the file, at most {@link #FIRST_BYTES}
   */
  static String named(byte[] first, ImportFormat selected) {
    if (isGatlingBinary(first)) {
      return "it is Gatling's binary log (Gatling 3.12 and later), which only Gatling reads: have"
          + " its report tool write CSV and give the durations alone with --format durations, or"
          + " run Gatling 3.11, which writes text";
    }
    String text = new String(first, StandardCharsets.UTF_8).replaceFirst("^\uFEFF", "");
    ImportFormat found = importable(text);
    if (found == selected) {
      return "";
    }
    if (found != null) {
      return "it looks like " + tool(found) + ": import it with --format " + found.id();
    }
    return summary(text, selected);
  }

  private static ImportFormat importable(String text) {
    String start = text.stripLeading();
    if (start.startsWith("{") && K6_JSON.matcher(firstLine(start)).find()
        || start.startsWith("metric_name,timestamp,metric_value")) {
      return ImportFormat.K6;
    } else if (start.startsWith("{") && HYPERFINE.matcher(start).find()) {
      return ImportFormat.HYPERFINE;
    } else if (GATLING_LINE.matcher(text).lookingAt()) {
      return ImportFormat.GATLING;
    } else if (firstLine(start).startsWith("timeStamp,elapsed,label")) {
      return ImportFormat.JMETER;
    } else if (YCSB_RAW.matcher(text).lookingAt()) {
      return ImportFormat.YCSB;
    }
    return null;
  }

  private static String summary(String text, ImportFormat selected) {
    String start = text.stripLeading();
    String line = firstLine(start);
    if (start.startsWith("{") && K6_SUMMARY.matcher(text).find()) {
      return "it is k6's summary at the end of a test, which has no single requests: run k6 with"
          + " --out json=FILE or --out csv=FILE";
    } else if (line.startsWith("command,mean,stddev")) {
      return "it is hyperfine's summary as CSV, which has no single times: run hyperfine with"
          + " --export-json FILE";
    } else if (selected != ImportFormat.YCSB && YCSB_SUMMARY.matcher(text).lookingAt()) {
      return ycsbSummary();
    } else if (start.toLowerCase(Locale.ROOT).startsWith("<testresults")
        || start.startsWith("<?xml") && text.contains("<testResults")) {
      return "it is JMeter's results as XML: have JMeter write CSV"
          + " (jmeter.save.saveservice.output_format=csv), or convert it by opening it in a"
          + " listener that writes CSV";
    } else if (start.startsWith("<")) {
      return "it is XML or HTML, which cannot be imported";
    }
    return "";
  }

  /** Returns the advice for a summary, histogram or time series, whose lines begin alike. */
  static String ycsbSummary() {
    return "it holds YCSB's summary, histogram or time series, which have no single requests: run"
        + " YCSB with -p measurementtype=raw";
  }

  private static String tool(ImportFormat format) {
    return switch (format) {
      case K6 -> "k6's results";
      case HYPERFINE -> "hyperfine's results";
      case GATLING -> "Gatling's simulation.log";
      case JMETER -> "JMeter's results";
      case YCSB -> "YCSB's raw measurements";
      case DURATIONS -> "durations";
    };
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  /**
   * Returns whether it begins with a record of type 0, with length and text of Gatling's version.
   */
  private static boolean isGatlingBinary(byte[] first) {
    if (first.length < 8 || first[0] != 0) {
      return false;
    }
    int length =
        (first[1] & 0xFF) << 24
            | (first[2] & 0xFF) << 16
            | (first[3] & 0xFF) << 8
            | first[4] & 0xFF;
    return length >= 3
        && length <= 64
        && first.length >= 5 + 3
        && new String(first, 5, 3, StandardCharsets.US_ASCII).matches("\\d\\.\\d");
  }
}
