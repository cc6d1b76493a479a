package org.fedometer.collector;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunStore;
import org.fedometer.store.remote.RemoteStore;
import org.fedometer.wire.client.CollectorReader;
import org.fedometer.wire.client.CollectorRejectedException;
import org.fedometer.wire.tls.TlsKey;
import org.fedometer.wire.tls.TlsTrust;

/**
 * Runs operations on a local store's runs that need its collector's consent. Asks the running
 * collector, or else holds the store's lock meanwhile. Any thread.
 */
public final class RunMaintenance {
  private static final int ATTEMPTS = 50;
  private static final long PAUSE_MILLIS = 100;

  private final RunStore store;
  private final Path directory;
  private final String token;

  /** Null without one. */
  private final TlsKey key;

  private RunMaintenance(RunStore store, Path directory, String token, TlsKey key) {
    this.store = store;
    this.directory = directory;
    this.token = token;
    this.key = key;
  }

  /** Returns the maintenance of a store; the token is that of its collector, empty for none. */
  public static RunMaintenance of(RunStore store, String token) throws IOException {
    return of(store, token, null);
  }

  /**
   * As {@link #of(RunStore, String)}, with a key for a collector that requires a client
   * certificate.
   */
  public static RunMaintenance of(RunStore store, String token, TlsKey keyOrNull)
      throws IOException {
    Path directory = store.directory();
    return new RunMaintenance(
        store, Files.isDirectory(directory) ? directory.toRealPath() : directory, token, keyOrNull);
  }

  /** Returns whether a collector writes the store now; changes nothing. */
  public boolean isCollected() throws IOException {
    return StoreLock.isHeld(StoreLock.ofCollector(directory));
  }

  /**
   * Deletes a run permanently.
   *
   * @throws NoSuchRunException if there is none; the message lists the existing runs
   * @throws IOException if a source still sends to it or the file system fails; the message is one
   *     sentence
   */
  public void remove(String name) throws NoSuchRunException, IOException {
    try (ExclusiveRun agreement = openExclusive(name)) {
      agreement.remove("");
    }
  }

  /**
   * Ensures that no source writes to a run and that a running collector has stored all of it.
   *
   * @throws IOException if a source still sends to it; the message is one sentence
   */
  public QuietRun openQuiet(String name) throws NoSuchRunException, IOException {
    ExclusiveRun agreement = openExclusive(name);
    try {
      if (agreement.collector != null) {
        agreement.collector.release(name);
      }
      return agreement;
    } catch (IOException e) {
      agreement.close();
      throw e;
    }
  }

  /**
   * A run that has no writer. Without a collector, none can start before this is closed; with one,
   * a source may come and go meanwhile.
   */
  public interface QuietRun extends Closeable {

    /**
     * Deletes the run permanently if it is still as archived.
     *
     * @param fingerprint the archive's, see {@code RunArchive.fingerprint}
     * @throws IOException if the run has changed or a source sends to it; the run then still
     *     exists, and the message is one sentence
     */
    void removeArchived(String fingerprint) throws NoSuchRunException, IOException;
  }

  private final class ExclusiveRun implements QuietRun {
    private final String name;

    /** Null if a collector runs. */
    private final StoreLock lock;

    /** Null if no collector runs. */
    private final RemoteStore collector;

    private ExclusiveRun(String name, StoreLock lock, RemoteStore collector) {
      this.name = name;
      this.lock = lock;
      this.collector = collector;
    }

    @Override
    public void removeArchived(String fingerprint) throws NoSuchRunException, IOException {
      remove(fingerprint);
    }

    private void remove(String fingerprint) throws NoSuchRunException, IOException {
      if (collector != null) {
        collector.remove(name, fingerprint);
      } else {
        RunDeletion.hide(store.named(name), fingerprint);
        RunDeletion.finishInterrupted(store);
      }
    }

    @Override
    public void close() throws IOException {
      if (lock != null) {
        lock.close();
      }
    }
  }

  private ExclusiveRun openExclusive(String name) throws NoSuchRunException, IOException {
    store.named(name);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<StoreLock> lock = StoreLock.tryLock(StoreLock.ofCollector(directory));
      if (lock.isPresent()) {
        return new ExclusiveRun(name, lock.get(), null);
      }
      Optional<CollectorFile> file = CollectorFile.read(directory);
      if (file.isPresent() && isRunning(file.get())) {
        return new ExclusiveRun(
            name, null, RemoteStore.at(file.get().address(), token, trust(file.get())));
      }
      try {
        // The collector is starting or shutting down.
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    throw new IOException(
        "The collector of " + directory + " neither answers nor stops; try again later");
  }

  /**
   * Returns whether the collector that the file names serves this store.
   *
   * <p>The file of a killed collector can exist while another process briefly holds the lock. Its
   * port may then belong to another store's collector, which has runs of the same names.
   *
   * @throws IOException if the collector rejects this process; the message is one sentence
   */
  private boolean isRunning(CollectorFile file) throws IOException {
    try (CollectorReader reader =
        CollectorReader.connect(file.host(), file.port(), token, trust(file))) {
      return reader.welcome().storeDirectory().equals(directory.toString());
    } catch (CollectorRejectedException e) {
      if (e.isTemporary()) {
        // It is shutting down.
        return false;
      }
      throw e;
    } catch (IOException e) {
      if (e.getCause() instanceof SocketException || e.getCause() instanceof EOFException) {
        // It has gone, or is exiting now.
        return false;
      }
      throw e;
    }
  }

  /**
   * Pins the certificate of the collector's file, since it need not be for the loopback address.
   */
  private TlsTrust trust(CollectorFile file) throws IOException {
    if (file.tlsCertificate() == null) {
      return null;
    }
    TlsTrust trust = TlsTrust.ofPinnedFile(Path.of(file.tlsCertificate()));
    return key == null ? trust : trust.withKey(key);
  }
}
