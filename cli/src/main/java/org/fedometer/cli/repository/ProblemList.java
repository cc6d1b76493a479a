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
 * Problems found by {@code verify}: the first ones in full, counts of all, and optionally every PID
 * in a file. For one thread at a time.
 */
final class ProblemList implements AutoCloseable {
  /** Further ones are only counted, and written to the file. */
  private static final int MAX_LISTED = 100;

  /**
   * @param kind in kebab-case
   * @param pid empty for a general problem
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
   * @param file for PIDs, one per line, or null
   */
  static ProblemList writingTo(Path file) throws IOException {
    return new ProblemList(file == null ? null : Files.newBufferedWriter(file));
  }

  /** Adds a problem; those of one object must be consecutive. */
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

  /** Returns the number of objects with problems. */
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
