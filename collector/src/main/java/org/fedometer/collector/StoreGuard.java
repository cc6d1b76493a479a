package org.fedometer.collector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.threads.DaemonThreads;
import org.fedometer.store.RunStore;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.disk.PrivateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps other collectors out of a store until this one has stopped writing. Any thread. */
final class StoreGuard {
  private static final Logger LOG = LoggerFactory.getLogger(CollectorServer.class);
  private static final int LOCK_ATTEMPTS = 5;
  private static final long LOCK_PAUSE_MILLIS = 100;

  private final Path store;
  private final StoreLock lock;

  private StoreGuard(Path store, StoreLock lock) {
    this.store = store;
    this.lock = lock;
  }

  /**
   * Creates the folder if missing, and locks it.
   *
   * @throws IOException if it is not writable or in use by another collector; the message is one
   *     sentence
   */
  static StoreGuard of(Path directory) throws IOException {
    Path store = prepare(directory);
    return new StoreGuard(store, lock(store));
  }

  private static Path prepare(Path directory) throws IOException {
    try {
      PrivateFiles.createFolders(RunStore.at(directory).runsDirectory());
      Path store = directory.toRealPath();
      if (Files.isWritable(store) && Files.isWritable(RunStore.at(store).runsDirectory())) {
        return store;
      }
    } catch (IOException e) {
      throw new IOException(
          "The store " + directory + " cannot be written: " + FailureText.of(e), e);
    }
    throw new IOException("The store " + directory + " cannot be written by this user");
  }

  private static StoreLock lock(Path store) throws IOException {
    Path file = StoreLock.ofCollector(store);
    for (int attempt = 1; attempt <= LOCK_ATTEMPTS; attempt++) {
      Optional<StoreLock> lock = StoreLock.tryLock(file);
      if (lock.isPresent()) {
        return lock.get();
      }
      try {
        // A process that checks for a collector also holds the lock for a moment.
        Thread.sleep(LOCK_PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    throw new IOException(otherCollector(store));
  }

  private static String otherCollector(Path store) {
    String which = "";
    try {
      which =
          CollectorFile.read(store)
              .map(file -> " (process %d, %s:%d)".formatted(file.pid(), file.host(), file.port()))
              .orElse("");
    } catch (IOException e) {
      // The message omits it.
    }
    return "Another collector" + which + " already writes the store " + store;
  }

  /** Returns the folder's real path. */
  Path store() {
    return store;
  }

  /**
   * Releases the store. If the segment log still writes, releases it once writing has ended.
   *
   * @param segmentLog null if none was started
   */
  void release(SegmentLog segmentLog) throws IOException {
    if (segmentLog != null && segmentLog.mayWrite()) {
      LOG.error("{} stays locked until its segment log stops writing or this process ends", store);
      DaemonThreads.daemon("fedometer-store-lock", () -> releaseAfter(segmentLog)).start();
    } else {
      lock.close();
    }
  }

  private void releaseAfter(SegmentLog segmentLog) {
    try {
      segmentLog.awaitLastWrite();
      lock.close();
      LOG.info("{} is no longer locked", store);
    } catch (IOException e) {
      LOG.warn("{} could not be unlocked: {}", store, FailureText.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
