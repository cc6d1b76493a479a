package org.fedometer.store;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Free space on a folder's disk. Stateless, any thread. */
public final class DiskSpace {
  private DiskSpace() {}

  /**
   * Checks the space before anything is written. A disk of unknown size passes.
   *
   * @param folder may not exist yet
   * @param subject of the error's sentence: the data to be written
   * @throws IOException one sentence: there is not enough space
   */
  static void require(long bytes, Path folder, String subject) throws IOException {
    Path there = existing(folder);
    long freeBytes = freeBytes(there).orElse(Long.MAX_VALUE);
    if (bytes > freeBytes) {
      // Rounded up, or the two could look the same.
      throw new IOException(
          "%s needs %d MiB, but %s has only %d MiB free"
              .formatted(subject, ((bytes - 1) >> 20) + 1, there, freeBytes >> 20));
    }
  }

  /**
   * Returns the space that this user can write there, in bytes; empty if the folder does not exist
   * or its disk reports no size.
   */
  public static OptionalLong freeBytes(Path folder) {
    // Not through FileStore, which needs a mount table that names this disk: a chroot has none.
    File there = folder.toFile();
    return there.getTotalSpace() == 0
        ? OptionalLong.empty()
        : OptionalLong.of(there.getUsableSpace());
  }

  /** Returns the folder, or its closest existing parent. */
  public static Path existing(Path folder) {
    Path there = folder.toAbsolutePath();
    while (!Files.exists(there)) {
      there = there.getParent();
    }
    return there;
  }
}
