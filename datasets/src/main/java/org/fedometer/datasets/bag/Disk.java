package org.fedometer.datasets.bag;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Forces data to disk, so that it survives a power cut. Thread-safe. */
@FunctionalInterface
interface Disk {

  Disk REAL =
      path -> {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
          channel.force(true);
        }
      };

  /** Forces the content of a file, or the entries of a folder, to disk. */
  void force(Path path) throws IOException;
}
