package org.fedometer.store;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What the disk of a folder has room for. Stateless, any thread. */
public final class DiskSpace {
  private DiskSpace() {}

  /**
   * To be called before anything is written. A disk that does not tell what it has room for is
   * taken to have it.
   *
   * @param folder it may still have to be made
   * @param subject is to be written, to begin a sentence with
   * @throws IOException one sentence: there is no room for it
   */
  static void require(long bytes, Path folder, String subject) throws IOException {
    Path there = existing(folder);
    long freeBytes = freeBytes(there).orElse(Long.MAX_VALUE);
    if (bytes > freeBytes) {
      // Rounded up, or the two could look the same.
      throw new IOException(
          "%s takes %d MiB, and %s has room for %d MiB"
              .formatted(subject, ((bytes - 1) >> 20) + 1, there, freeBytes >> 20));
    }
  }

  /**
   * What this user may still write there, in bytes; empty where the folder is not there or its disk
   * does not tell.
   */
  public static OptionalLong freeBytes(Path folder) {
    // Not through FileStore, which needs a mount table that names this disk: a chroot has none.
    File there = folder.toFile();
    return there.getTotalSpace() == 0
        ? OptionalLong.empty()
        : OptionalLong.of(there.getUsableSpace());
  }

  /** The folder, or what is there of the way to it. */
  public static Path existing(Path folder) {
    Path there = folder.toAbsolutePath();
    while (!Files.exists(there)) {
      there = there.getParent();
    }
    return there;
  }
}
