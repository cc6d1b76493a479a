package org.fedometer.wire.spool;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Spools that other processes left in a folder. Created and used by a client's spool thread. */
public final class AbandonedSpools {
  private static final int UUID_CHARACTERS = 36;

  private final List<FrameSpool> spools = new ArrayList<>();
  private final List<String> quarantined = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();

  private AbandonedSpools() {}

  /**
   * Finds spools whose processes have ended. Renames files with an invalid head to {@code
   * *.unreadable}. If a file cannot be opened or read (no handle, no permission, a disk error), all
   * files of that source are left for a later scan.
   *
   * @throws IOException one sentence: the folder cannot be read
   */
  public static AbandonedSpools scan(Path folder) throws IOException {
    AbandonedSpools found = new AbandonedSpools();
    boolean complete = false;
    try {
      for (Map.Entry<UUID, TreeMap<Long, Path>> ofSource : filesIn(folder).entrySet()) {
        found.inspect(new FrameSpool(folder, ofSource.getKey(), 0), ofSource.getValue());
      }
      found.spools.sort((a, b) -> Long.compare(a.begunEpochMillis(), b.begunEpochMillis()));
      complete = true;
    } finally {
      if (!complete) {
        for (FrameSpool spool : found.spools) {
          spool.close();
        }
      }
    }
    return found;
  }

  /** Returns the files by source and first frame. */
  private static Map<UUID, TreeMap<Long, Path>> filesIn(Path folder) throws IOException {
    Map<UUID, TreeMap<Long, Path>> files = new TreeMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + FrameSpool.SUFFIX)) {
      for (Path file : all) {
        String name = file.getFileName().toString();
        try {
          UUID source = UUID.fromString(name.substring(0, UUID_CHARACTERS));
          long first =
              Long.parseLong(
                  name.substring(UUID_CHARACTERS + 1, name.length() - FrameSpool.SUFFIX.length()));
          files.computeIfAbsent(source, any -> new TreeMap<>()).put(first, file);
        } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
          // Not a spool file.
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  private void inspect(FrameSpool spool, TreeMap<Long, Path> files) {
    boolean kept = false;
    try {
      if (spool.takeOver(files, quarantined)) {
        if (spool.isEmpty()) {
          spool.close();
        } else {
          spools.add(spool);
          kept = true;
        }
      }
    } catch (IOException e) {
      unreadable.add(
          "the spooled frames of " + spool.source() + " cannot be read: " + FrameSpool.describe(e));
    } finally {
      if (!kept) {
        spool.releaseLock();
      }
    }
  }

  /** Returns the spools, locked for this process; oldest first as far as known. */
  public List<FrameSpool> spools() {
    return spools;
  }

  /** Returns a sentence for each file that was no spool file and was renamed. */
  public List<String> quarantined() {
    return quarantined;
  }

  /** Returns a sentence for each source that could not be read now and stays unchanged. */
  public List<String> unreadable() {
    return unreadable;
  }
}
