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

/** What other processes left in a spool's folder. Made and used by a client's spool thread. */
public final class AbandonedSpools {
  private static final int UUID_CHARACTERS = 36;

  private final List<FrameSpool> spools = new ArrayList<>();
  private final List<String> quarantined = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();

  private AbandonedSpools() {}

  /**
   * Looks for spools whose processes are over. Files that do not begin as they should are put aside
   * as {@code *.unreadable}; where one cannot be opened or read, for want of a handle or of a
   * permission or for a broken disk, all of that source are left for another time.
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

  /** By their sources and first frames. */
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
          // Somebody else's file.
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
          "what " + spool.source() + " left there cannot be read: " + FrameSpool.describe(e));
    } finally {
      if (!kept) {
        spool.releaseLock();
      }
    }
  }

  /** Locked for this process; the oldest first as far as can be told. */
  public List<FrameSpool> spools() {
    return spools;
  }

  /** What is no spool file and got another name for that, a sentence each. */
  public List<String> quarantined() {
    return quarantined;
  }

  /** What could not be read this time and stays as it is, a sentence each. */
  public List<String> unreadable() {
    return unreadable;
  }
}
