package org.fedometer.experiments.series;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.fedometer.wire.disk.PrivateFiles;

/** Prevents two processes from conducting one experiment, until closed. */
record ExperimentLock(FileChannel channel, FileLock lock) implements AutoCloseable {

  static ExperimentLock acquire(Path store, String experiment) throws IOException {
    Path folder = store.resolve("experiments");
    PrivateFiles.createFolders(folder);
    FileChannel channel =
        PrivateFiles.open(
            folder.resolve(experiment + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new ExperimentLock(channel, lock);
      }
    } catch (OverlappingFileLockException e) {
      // As if another process had it.
    }
    channel.close();
    throw new IOException(
        "Another process runs the experiment " + experiment + " in " + store + ".");
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
