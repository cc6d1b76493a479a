package org.fedometer.collector.http;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses Prometheus's text format 0.0.4 strictly: each name has HELP and TYPE once before its
 * values, its values are adjacent, and none is repeated.
 */
final class PrometheusText {
  private static final Pattern COMMENT =
      Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (NaN|[+-]Inf|[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

  private final Map<String, Double> values = new LinkedHashMap<>();
  private final Map<String, String> types = new LinkedHashMap<>();
  private final Set<String> helped = new HashSet<>();
  private String current = "";

  private PrometheusText() {}

  /** Values by name, with labels in braces as they stand there. */
  static Map<String, Double> read(String text) {
    if (!text.endsWith("\n") || text.contains("\r")) {
      throw new AssertionError("Lines end with a line feed, the last one, too");
    }
    PrometheusText read = new PrometheusText();
    text.lines().forEach(read::line);
    return read.values;
  }

  private void line(String line) {
    Matcher comment = COMMENT.matcher(line);
    Matcher sample = SAMPLE.matcher(line);
    if (comment.matches()) {
      comment(comment.group(1), comment.group(2), comment.group(3));
    } else if (sample.matches()) {
      sample(line, sample.group(1), sample.group(2), sample.group(3));
    } else {
      throw new AssertionError("Not in the format: " + line);
    }
  }

  private void comment(String kind, String name, String rest) {
    boolean isNew = kind.equals("HELP") ? helped.add(name) : types.putIfAbsent(name, rest) == null;
    if (!isNew) {
      throw new AssertionError(kind + " of " + name + " comes twice");
    }
    if (kind.equals("TYPE") && !rest.equals("counter") && !rest.equals("gauge")) {
      throw new AssertionError("Type of " + name + ": " + rest);
    }
    current = name;
  }

  private void sample(String line, String name, String labels, String value) {
    if (!name.equals(current) || !types.containsKey(name) || !helped.contains(name)) {
      throw new AssertionError("HELP and TYPE come before: " + line);
    }
    double number = value.endsWith("Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(value);
    if (types.get(name).equals("counter") && (!name.endsWith("_total") || number < 0)) {
      throw new AssertionError("No counter: " + line);
    }
    String key = name;
    if (labels != null) {
      checkLabels(line, labels);
      key += "{" + labels + "}";
    }
    if (values.put(key, number) != null) {
      throw new AssertionError("Comes twice: " + line);
    }
  }

  private static void checkLabels(String line, String labels) {
    Set<String> names = new HashSet<>();
    Matcher label = LABEL.matcher(labels);
    int end = 0;
    while (end < labels.length()) {
      if (!label.find(end) || label.start() != end || !names.add(label.group(1))) {
        throw new AssertionError("Labels that cannot be read: " + line);
      }
      end = label.end();
    }
  }
}
