package org.fedometer.collector.dashboard;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;

/**
 * Lists the runs of a store with their documents.
 *
 * <p>A document is read again only when its file has changed. Run folders are examined at most once
 * a second. Any thread.
 */
final class Catalogue {
  static final int MAX_RUNS = 1000;

  private static final long FRESH_NANOS = 1_000_000_000L;

  private final Path runsDirectory;
  private Map<String, RunEntry> known = Map.of();
  private List<RunEntry> listed = List.of();
  private long listedNanos;

  Catalogue(Path store) {
    this.runsDirectory = RunStore.at(store).runsDirectory();
    this.listedNanos = System.nanoTime() - FRESH_NANOS;
  }

  /** Returns all runs, newest first. */
  synchronized List<RunEntry> runs() throws IOException {
    if (System.nanoTime() - listedNanos >= FRESH_NANOS) {
      list();
      listedNanos = System.nanoTime();
    }
    return listed;
  }

  private void list() throws IOException {
    Map<String, RunEntry> now = new HashMap<>();
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(runsDirectory, Files::isDirectory)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (RunFolder.isValidName(name)) {
          RunEntry found = entryOf(new RunFolder(entry), known.get(name));
          if (found != null) {
            now.put(name, found);
          }
        }
      }
    } catch (NoSuchFileException e) {
      // A store without runs.
    }
    known = now;
    listed =
        now.values().stream()
            .sorted(
                Comparator.comparingLong(RunEntry::beginMillis)
                    .reversed()
                    .thenComparing(entry -> entry.run().name(), Comparator.reverseOrder()))
            .toList();
  }

  /** Returns the run's current entry; null if there is none. */
  synchronized RunEntry named(String name) throws IOException {
    if (!RunFolder.isValidName(name)) {
      return null;
    }
    RunFolder run = new RunFolder(runsDirectory.resolve(name));
    return Files.isDirectory(run.path()) ? entryOf(run, known.get(name)) : null;
  }

  /** Returns null if the run disappears meanwhile. */
  private static RunEntry entryOf(RunFolder run, RunEntry before) throws IOException {
    try {
      RunEntry.Stamp stamp = RunEntry.Stamp.of(run);
      return before != null && before.stamp().equals(stamp) ? before : RunEntry.read(run, stamp);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
