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
 * What may be done to runs of a store of this machine only in agreement with its collector: the one
 * that runs is asked, else its place is taken meanwhile. Any thread.
 */
public final class RunMaintenance {
  private static final int ATTEMPTS = 50;
  private static final long PAUSE_MILLIS = 100;

  private final RunStore store;
  private final Path directory;
  private final String token;

  /** Null for none. */
  private final TlsKey key;

  private RunMaintenance(RunStore store, Path directory, String token, TlsKey key) {
    this.store = store;
    this.directory = directory;
    this.token = token;
    this.key = key;
  }

  /** The token is that of the store's collector, empty for none. */
  public static RunMaintenance of(RunStore store, String token) throws IOException {
    return of(store, token, null);
  }

  /** As {@link #of(RunStore, String)}, with a key for a collector that asks for a certificate. */
  public static RunMaintenance of(RunStore store, String token, TlsKey keyOrNull)
      throws IOException {
    Path directory = store.directory();
    return new RunMaintenance(
        store, Files.isDirectory(directory) ? directory.toRealPath() : directory, token, keyOrNull);
  }

  /** Whether a collector writes the store now; changes nothing. */
  public boolean isCollected() throws IOException {
    return StoreLock.isHeld(StoreLock.ofCollector(directory));
  }

  /**
   * Deletes a run for good.
   *
   * @throws NoSuchRunException lists what there is
   * @throws IOException one sentence: somebody still sends to it, or the disk does not let it
   */
  public void remove(String name) throws NoSuchRunException, IOException {
    try (ExclusiveRun agreement = openExclusive(name)) {
      agreement.remove("");
    }
  }

  /**
   * Makes sure that nobody writes to a run at the moment, and that all that a running collector has
   * of it is in its folder.
   *
   * @throws IOException one sentence: somebody still sends to it
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
   * A run that nobody writes to at the moment. Without a collector, nobody can begin before it is
   * closed; with one, a source may come and go meanwhile.
   */
  public interface QuietRun extends Closeable {

    /**
     * Deletes it for good, as it was archived.
     *
     * @param fingerprint of what was archived, see {@code RunArchive.fingerprint}
     * @throws IOException one sentence: the run has changed since, or somebody sends to it; then it
     *     is still there
     */
    void removeArchived(String fingerprint) throws NoSuchRunException, IOException;
  }

  private final class ExclusiveRun implements QuietRun {
    private final String name;

    /** Null where a collector runs. */
    private final StoreLock lock;

    /** Null where none runs. */
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
        // It comes up, or it goes down.
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    throw new IOException(
        "The collector of " + directory + " neither answers nor ends; try again in a while");
  }

  /**
   * Whether the collector that the file names is this store's. The file of one that was killed is
   * still there while somebody else holds the lock for a moment; then nobody listens there, or
   * another store's collector does, which has runs of its own by that name.
   *
   * @throws IOException one sentence: it does not let us in
   */
  private boolean isRunning(CollectorFile file) throws IOException {
    try (CollectorReader reader =
        CollectorReader.connect(file.host(), file.port(), token, trust(file))) {
      return reader.welcome().storeDirectory().equals(directory.toString());
    } catch (CollectorRejectedException e) {
      if (e.isTemporary()) {
        // It goes down.
        return false;
      }
      throw e;
    } catch (IOException e) {
      if (e.getCause() instanceof SocketException || e.getCause() instanceof EOFException) {
        // It is gone, or ends just now.
        return false;
      }
      throw e;
    }
  }

  /** Its file says more than a name: the certificate need not be for the loopback address. */
  private TlsTrust trust(CollectorFile file) throws IOException {
    if (file.tlsCertificate() == null) {
      return null;
    }
    TlsTrust trust = TlsTrust.ofPinnedFile(Path.of(file.tlsCertificate()));
    return key == null ? trust : trust.withKey(key);
  }
}
