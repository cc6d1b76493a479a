package org.fedometer.cli.repository;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code verify} has found wrong: the first of it in full, all of it in numbers, and every PID
 * in a file, if one is wanted. For one thread at a time.
 */
final class ProblemList implements AutoCloseable {
  /** More are counted, and in the file. */
  private static final int MAX_LISTED = 100;

  /**
   * @param kind in kebab-case
   * @param pid empty if it is about the whole
   */
  record Entry(String kind, String pid, String text) {}

  private final Writer pids;
  private final List<Entry> listed = new ArrayList<>();
  private final Map<String, Long> byKind = new TreeMap<>();
  private String lastPid = "";
  private long size;
  private long objects;

  private ProblemList(Writer pids) {
    this.pids = pids;
  }

  /**
   * @param file for PIDs, a line each, or null
   */
  static ProblemList writingTo(Path file) throws IOException {
    return new ProblemList(file == null ? null : Files.newBufferedWriter(file));
  }

  /** All problems of an object have to come in a row. */
  synchronized void add(Entry entry) {
    size++;
    byKind.merge(entry.kind(), 1L, Long::sum);
    if (listed.size() < MAX_LISTED) {
      listed.add(entry);
    }
    if (entry.pid().isEmpty() || entry.pid().equals(lastPid)) {
      return;
    }
    lastPid = entry.pid();
    objects++;
    if (pids != null) {
      try {
        pids.write(entry.pid() + "\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  synchronized void flush() throws IOException {
    if (pids != null) {
      pids.flush();
    }
  }

  synchronized long size() {
    return size;
  }

  /** How many objects have problems. */
  synchronized long objects() {
    return objects;
  }

  synchronized List<Entry> listed() {
    return List.copyOf(listed);
  }

  synchronized Map<String, Long> byKind() {
    return new TreeMap<>(byKind);
  }

  @Override
  public void close() throws IOException {
    if (pids != null) {
      pids.close();
    }
  }
}
