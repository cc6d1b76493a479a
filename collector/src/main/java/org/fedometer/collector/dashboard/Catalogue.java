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
 * The runs of a store, with what their documents say. A document is read again when its file has
 * changed: who asks costs a look at each run's folder, at most once a second. Any thread.
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

  /** All there are, newest first. */
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

  /** As it is now; null where there is none of that name. */
  synchronized RunEntry named(String name) throws IOException {
    if (!RunFolder.isValidName(name)) {
      return null;
    }
    RunFolder run = new RunFolder(runsDirectory.resolve(name));
    return Files.isDirectory(run.path()) ? entryOf(run, known.get(name)) : null;
  }

  /** Null for one that goes meanwhile. */
  private static RunEntry entryOf(RunFolder run, RunEntry before) throws IOException {
    try {
      RunEntry.Stamp stamp = RunEntry.Stamp.of(run);
      return before != null && before.stamp().equals(stamp) ? before : RunEntry.read(run, stamp);
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
