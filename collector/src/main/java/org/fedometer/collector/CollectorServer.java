package org.fedometer.collector;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.ask.Asking;
import org.fedometer.collector.dashboard.Dashboard;
import org.fedometer.collector.http.CollectorPages;
import org.fedometer.collector.http.FrameCounts;
import org.fedometer.collector.http.HttpDoor;
import org.fedometer.collector.influx.LiveInflux;
import org.fedometer.collector.journal.DurableFrames;
import org.fedometer.collector.journal.Journal;
import org.fedometer.collector.live.LiveRollups;
import org.fedometer.collector.logs.AssumedEvents;
import org.fedometer.collector.logs.LogIntake;
import org.fedometer.collector.measured.MeasuredSources;
import org.fedometer.collector.receive.ConnectionWatch;
import org.fedometer.collector.receive.Listener;
import org.fedometer.collector.receive.TlsIdentity;
import org.fedometer.collector.threads.OwnThreads;
import org.fedometer.store.Disposal;
import org.fedometer.store.NativeLibraries;
import org.fedometer.store.RunStore;
import org.fedometer.store.StoreIdentity;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.HostBoot;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.tls.TlsKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A collector in this process: listens, stores, seals, until it is closed or idle. Any thread.
 *
 * <pre>{@code
 * try (CollectorServer server = CollectorServer.start(options)) {
 *   End end = server.awaitStop();
 * }
 * }</pre>
 */
public final class CollectorServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CollectorServer.class);
  private static final Duration STOP_TIMEOUT = Duration.ofMinutes(10);
  private static final long IDLE_CHECK_MILLIS = 100;
  private static final int LOCK_ATTEMPTS = 5;
  private static final long LOCK_PAUSE_MILLIS = 100;

  private final Path storeDirectory;
  private final StoreLock lock;
  private final ConnectionWatch watch;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private boolean closing;

  // Null until they have come up; written before any other thread can ask.
  private Journal journal;
  private LiveRollups rollups;
  private OldRuns oldRuns;
  private Asking asking;
  private Listener listener;
  private InetSocketAddress address;

  /** Null where points go nowhere. */
  private LiveInflux influx;

  /** Null where nobody is answered by HTTP. */
  private Dashboard dashboard;

  /** Null where nobody is answered by HTTP. */
  private HttpDoor http;

  public enum End {
    /** It was closed, or nobody needed it any more. */
    STOPPED,

    /** It could not store any more; the log says why. What it had not stored is sent again. */
    FAILED
  }

  private CollectorServer(Path storeDirectory, StoreLock lock, ConnectionWatch watch) {
    this.storeDirectory = storeDirectory;
    this.lock = lock;
    this.watch = watch;
  }

  /**
   * Recovers what an earlier collector left in the store, and listens.
   *
   * @throws IOException one sentence: the certificate or key is of no use, the store cannot be
   *     written, another collector writes it, a native library cannot be loaded, or the address
   *     cannot be had
   * @throws IllegalArgumentException one sentence: strangers could come in, which nobody allowed
   */
  public static CollectorServer start(CollectorOptions options) throws IOException {
    boolean token = !options.journal().token().isEmpty();
    options.doors().check("--listen", options.listen(), options.tls(), token);
    if (options.http() != null) {
      options.doors().check("--http", options.http(), options.tls(), token);
    }
    TlsIdentity tls = options.tls() == null ? null : TlsIdentity.of(options.tls());
    if (!Files.exists(options.storeDirectory())) {
      // So that a slip of the pen leaves no empty store behind.
      Listener.check(options.listen());
    }
    Path store = prepare(options.storeDirectory());
    Duration idleExit = options.idleExit();
    ConnectionWatch watch =
        new ConnectionWatch(
            options.firstConnectionGrace().toNanos(), idleExit == null ? 0 : idleExit.toNanos());
    CollectorServer server = new CollectorServer(store, lock(store), watch);
    try {
      NativeLibraries.load(store);
      server.open(options, tls);
    } catch (IOException | RuntimeException | Error e) {
      // An Error, too: what has come up would hold the store and keep the JVM from its end.
      server.close();
      throw e;
    }
    return server;
  }

  private void open(CollectorOptions options, TlsIdentity tls) throws IOException {
    Path certificate = tls == null ? null : certificateFile(options.tls().own(), tls);
    RunStore store = RunStore.at(storeDirectory);
    FrameCounts counts = new FrameCounts();
    journal = Journal.start(store, hostName(), options.journal(), followers(options, counts));
    asking = Asking.start(store, journal);
    AssumedEvents assumed = new AssumedEvents();
    LogIntake logs =
        new LogIntake(
            options.doors().logSenders(!options.journal().token().isEmpty()),
            new MeasuredSources(journal, watch::sourceArrived, HostBoot.ID),
            StoreIdentity.of(storeDirectory).id(),
            assumed);
    listener = listen(options, tls, logs);
    address = listener.address();
    if (options.http() != null) {
      openHttp(options, tls, counts, assumed);
    }
    announce(options, certificate);
    oldRuns = new OldRuns(store, journal, options.retention());
    oldRuns.start();
    endWithTheJournal();
    if (options.idleExit() != null) {
      endWhenIdle();
    }
  }

  /** Deletes what a killed collector has left. */
  private void deleteInfluxSpill(boolean isNeeded) throws IOException {
    Path spill = LiveInflux.spillOf(storeDirectory);
    try {
      Disposal.delete(spill);
    } catch (IOException e) {
      if (isNeeded) {
        throw e;
      }
      LOG.warn("Cannot delete {}: {}", spill, FailureText.of(e));
    }
  }

  /** Agents of an earlier collector of the store go on knocking at its port. */
  private Listener listen(CollectorOptions options, TlsIdentity tls, LogIntake logs)
      throws IOException {
    InetSocketAddress asked = options.listen();
    boolean anyPort = asked.getPort() == 0 && !asked.isUnresolved();
    int last = anyPort ? LastPort.read(storeDirectory) : 0;
    if (last > 0) {
      try {
        InetSocketAddress before = new InetSocketAddress(asked.getAddress(), last);
        return Listener.listen(before, tls, journal, asking, watch, logs, options.doors());
      } catch (IOException e) {
        LOG.warn(
            "The last collector of {} had port {}, which cannot be had now ({}): agents that send"
                + " there do not reach this one",
            storeDirectory,
            last,
            FailureText.of(e.getCause() == null ? e : e.getCause()));
      }
    }
    return Listener.listen(asked, tls, journal, asking, watch, logs, options.doors());
  }

  private DurableFrames followers(CollectorOptions options, FrameCounts counts) throws IOException {
    rollups = new LiveRollups(options.rollupInterval());
    DurableFrames followers = rollups;
    deleteInfluxSpill(options.influx() != null);
    if (options.influx() != null) {
      influx = new LiveInflux(options.influx(), storeDirectory);
      followers = followers.and(influx);
    }
    if (options.http() != null) {
      dashboard = new Dashboard(storeDirectory, Dashboard.Limits.usual());
      followers = followers.and(counts).and(dashboard);
    }
    return followers;
  }

  private void openHttp(
      CollectorOptions options, TlsIdentity tls, FrameCounts counts, AssumedEvents assumed)
      throws IOException {
    dashboard.begin(journal::isOpen, journal::connectedSources);
    http =
        new CollectorPages(
                version(),
                storeDirectory,
                journal::figures,
                watch.refusals(),
                counts,
                assumed,
                dashboard,
                influx == null ? null : influx::status)
            .open(options.http(), tls, options.journal().token());
    announceHttp(options, http.address());
  }

  public Journal journal() {
    return journal;
  }

  /** What sends points to an InfluxDB, or null. */
  public LiveInflux influx() {
    return influx;
  }

  /** Where those who ask by HTTP connect to, or null. */
  public InetSocketAddress httpAddress() {
    return http == null ? null : http.address();
  }

  public InetSocketAddress address() {
    return address;
  }

  /** Waits until the collector has ended, by {@link #close()} or by itself. */
  public End awaitStop() throws InterruptedException {
    stopped.await();
    return journal.hasFailed() ? End.FAILED : End.STOPPED;
  }

  /** Whether it ended in the given time. Asked by tests alone. */
  public boolean awaitStop(Duration timeout) throws InterruptedException {
    return stopped.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stores what has been received, seals what is open, and ends; waits for all that. */
  @Override
  public void close() {
    synchronized (this) {
      if (closing) {
        awaitOther();
        return;
      }
      closing = true;
    }
    try {
      end(CollectorFile.in(storeDirectory), () -> CollectorFile.delete(storeDirectory));
      // Nobody new comes in, those who are here hear of the end from the journal.
      end(listener, () -> listener.closeDoor());
      end(http, () -> http.close());
      end(dashboard, () -> dashboard.close());
      end(oldRuns, () -> oldRuns.close());
      end(journal, this::stopJournal);
      end(rollups, () -> rollups.close());
      end(influx, () -> influx.close());
      end(listener, () -> listener.close());
      end(asking, () -> asking.close());
      end(lock, this::releaseStore);
      if (oldRuns != null) {
        LOG.info("The collector of {} has ended", storeDirectory);
      }
    } finally {
      stopped.countDown();
    }
  }

  private interface Ending {
    void run() throws IOException;
  }

  /** What one part throws keeps no other from its end, the store's lock least of all. */
  private void end(Object part, Ending ending) {
    if (part == null) {
      return;
    }
    try {
      ending.run();
    } catch (IOException e) {
      LOG.warn(
          "{}: not all of the collector has ended well: {}", storeDirectory, FailureText.of(e));
    } catch (RuntimeException | Error e) {
      LOG.error("{}: not all of the collector has ended well", storeDirectory, e);
    }
  }

  private void awaitOther() {
    boolean interrupted = false;
    while (true) {
      try {
        stopped.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void announce(CollectorOptions options, Path certificate) throws IOException {
    InetAddress host = address.getAddress();
    new CollectorFile(
            ProcessHandle.current().pid(),
            ProcessHandle.current().info().startInstant().orElseGet(Instant::now).toString(),
            host.isAnyLocalAddress() ? "127.0.0.1" : host.getHostAddress(),
            address.getPort(),
            version(),
            certificate == null ? null : certificate.toString(),
            http == null ? null : urlOf(http.address(), options.tls() != null))
        .write(storeDirectory);
    try {
      LastPort.write(storeDirectory, address.getPort());
    } catch (IOException e) {
      LOG.warn(
          "The port is not kept, and the next collector of {} may have another one: {}",
          storeDirectory,
          FailureText.of(e));
    }
    String where = listener.addressText(options.listen());
    LOG.info("The collector listens on {}, store {}", where, storeDirectory);
    if (options.tls() == null && !host.isLoopbackAddress()) {
      LOG.warn(
          "Without TLS (--tls-certificate, --tls-key), samples and token travel in the clear to {}",
          where);
    }
    if (options.journal().token().isEmpty()
        && (options.tls() == null || !options.tls().requiresCertificates())
        && !host.isLoopbackAddress()) {
      LOG.warn("Without a token (--token-file), everybody who reaches {} may send and ask", where);
    }
  }

  /** A PEM file for those on this machine who want to be sure that it is this collector. */
  private Path certificateFile(TlsKey own, TlsIdentity tls) throws IOException {
    if (own.pemKeyOrNull() != null) {
      return own.file();
    }
    Path copy = storeDirectory.resolve("collector.pem");
    tls.keepCopyIn(copy);
    return copy;
  }

  private static void announceHttp(CollectorOptions options, InetSocketAddress address) {
    String where = NetUtil.toSocketAddressString(address);
    LOG.info("HTTP: the dashboard, /health and /metrics on {}", where);
    if (!address.getAddress().isLoopbackAddress() && options.journal().token().isEmpty()) {
      LOG.warn("Without a token (--token-file), everybody who reaches {} may read them", where);
    }
  }

  private static String urlOf(InetSocketAddress http, boolean tls) {
    InetSocketAddress reached =
        http.getAddress().isAnyLocalAddress()
            ? new InetSocketAddress("127.0.0.1", http.getPort())
            : http;
    return (tls ? "https://" : "http://") + NetUtil.toSocketAddressString(reached) + "/";
  }

  private static String version() {
    String version = CollectorServer.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** Without its journal a collector would hold the store and its sources, and answer nobody. */
  private void endWithTheJournal() {
    OwnThreads.daemon("fedometer-journal-check", this::runJournalCheck).start();
  }

  private void runJournalCheck() {
    try {
      journal.awaitEnd();
      close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void endWhenIdle() {
    OwnThreads.daemon("fedometer-idle-check", this::runIdleCheck).start();
  }

  private void runIdleCheck() {
    try {
      while (!watch.endIfIdle()) {
        if (stopped.await(IDLE_CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
      LOG.info("Nobody is connected any more");
      close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stopJournal() {
    try {
      boolean allSealed = journal.stop(STOP_TIMEOUT);
      if (journal.hasFailed()) {
        LOG.error("The journal has failed: what is not sealed is left to the next collector");
      } else if (!allSealed) {
        LOG.error("Not all could be stored and sealed; the next collector will");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A journal that is still at work has the store for itself until it writes nothing any more. */
  private void releaseStore() throws IOException {
    if (journal != null && journal.mayWrite()) {
      LOG.error(
          "{} stays locked until its journal writes nothing any more, or this process ends",
          storeDirectory);
      OwnThreads.daemon("fedometer-store-lock", this::releaseAfterTheJournal).start();
    } else {
      lock.close();
    }
  }

  private void releaseAfterTheJournal() {
    try {
      journal.awaitLastWrite();
      lock.close();
      LOG.info("{} is no longer locked", storeDirectory);
    } catch (IOException e) {
      LOG.warn("{} could not be unlocked: {}", storeDirectory, FailureText.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
        // Somebody who looks whether there is a collector holds the lock for a moment too.
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
      // Then the message does without.
    }
    return "Another collector" + which + " already writes the store " + store;
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
