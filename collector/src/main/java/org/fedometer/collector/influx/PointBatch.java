package org.fedometer.collector.influx;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A batch of points as lines. For one thread; immutable once handed over. */
final class PointBatch {
  private static final int MAX_POINTS = 5_000;
  private static final int MAX_CHARS = 512 * 1024;

  /** Memory of a line besides its text. */
  private static final int LINE_OVERHEAD = 64;

  private final List<String> lines = new ArrayList<>();
  private final Set<String> runs = new HashSet<>();
  private int chars;

  void add(String run, String line) {
    runs.add(run);
    lines.add(line);
    chars += line.length();
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  boolean isFull() {
    return lines.size() >= MAX_POINTS || chars >= MAX_CHARS;
  }

  List<String> lines() {
    return lines;
  }

  int points() {
    return lines.size();
  }

  /** Returns the approximate memory. */
  long bytes() {
    return chars + (long) LINE_OVERHEAD * lines.size();
  }

  Set<String> runs() {
    return runs;
  }
}
