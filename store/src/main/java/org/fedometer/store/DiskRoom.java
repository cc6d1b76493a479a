package org.fedometer.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What the disk of a folder has room for. Stateless, any thread. */
public final class DiskRoom {
  private DiskRoom() {}

  /**
   * To be called before anything is written.
   *
   * @param folder it may still have to be made
   * @param what is to be written, to begin a sentence with
   * @throws IOException one sentence: there is no room for it
   */
  static void require(long bytes, Path folder, String what) throws IOException {
    Path there = existing(folder);
    long freeBytes = Files.getFileStore(there).getUsableSpace();
    if (bytes > freeBytes) {
      throw new IOException(
          "%s takes %d MiB, and %s has room for %d MiB"
              .formatted(what, bytes >> 20, there, freeBytes >> 20));
    }
  }

  /** What this user may still write there, in bytes; empty where the disk does not answer. */
  public static OptionalLong freeBytes(Path folder) {
    try {
      return OptionalLong.of(Files.getFileStore(folder).getUsableSpace());
    } catch (IOException e) {
      return OptionalLong.empty();
    }
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
