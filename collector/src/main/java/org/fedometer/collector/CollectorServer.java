package org.fedometer.collector;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.influx.LiveInflux;
import org.fedometer.collector.query.QueryService;
import org.fedometer.collector.receive.ConnectionTracker;
import org.fedometer.collector.receive.TlsIdentity;
import org.fedometer.collector.segmentlog.DurableFrames;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.threads.DaemonThreads;
import org.fedometer.store.NativeLibraries;
import org.fedometer.store.RunStore;
import org.fedometer.wire.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A collector in this process: listens, stores and seals until closed or idle. Any thread.
 *
 * <pre>{@code
 * try (CollectorServer server = CollectorServer.start(options)) {
 *   StopReason reason = server.awaitStop();
 * }
 * }</pre>
 */
public final class CollectorServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CollectorServer.class);
  private static final Duration STOP_TIMEOUT = Duration.ofMinutes(10);

  private static final long IDLE_CHECK_MILLIS = 100;

  private final StoreGuard guard;
  private final Path store;
  private final IdleExit idleExit;
  private final ConnectionTracker tracker;
  private final Endpoints endpoints;
  private final LiveViews views = new LiveViews();
  private final CountDownLatch stopped = new CountDownLatch(1);

  // Null until started; written before other threads have access.
  private SegmentLog segmentLog;
  private QueryService queryService;
  private RetentionJob retentionJob;

  public enum StopReason {
    /** Closed, or exited when idle. */
    STOPPED,

    /** Storing failed; the log has the cause. Sources resend data that was not stored. */
    FAILED
  }

  private CollectorServer(CollectorOptions options, StoreGuard guard, TlsIdentity tls) {
    this.guard = guard;
    this.store = guard.store();
    this.idleExit = options.idleExit();
    this.tracker =
        idleExit == null
            ? new ConnectionTracker(0, 0)
            : new ConnectionTracker(idleExit.grace().toNanos(), idleExit.idle().toNanos());
    this.endpoints = new Endpoints(options.endpoints(), options.segmentLog().token(), tls, store);
  }

  /**
   * Recovers the store's unsealed segments and starts listening.
   *
   * @throws IOException if a certificate or key is unusable, the store is not writable or in use, a
   *     native library cannot be loaded, or an address is unavailable; the message is one sentence
   * @throws IllegalArgumentException if access would be open without {@code --insecure}; the
   *     message is one sentence
   */
  public static CollectorServer start(CollectorOptions options) throws IOException {
    TlsIdentity tls =
        Endpoints.check(
            options.endpoints(), options.segmentLog().token(), !Files.exists(options.store()));
    CollectorServer server = new CollectorServer(options, StoreGuard.of(options.store()), tls);
    try {
      server.open(options);
    } catch (IOException | RuntimeException | Error e) {
      // Errors too: started parts would keep the store locked and the JVM alive.
      server.close();
      throw e;
    }
    return server;
  }

  private void open(CollectorOptions options) throws IOException {
    NativeLibraries.load(store);
    endpoints.prepare();
    RunStore runs = RunStore.at(store);
    boolean http = options.endpoints().http() != null;
    DurableFrames followers = views.open(options.live(), http, store);
    segmentLog = SegmentLog.start(runs, hostName(), options.segmentLog(), followers);
    views.begin(segmentLog);
    queryService = QueryService.start(runs, segmentLog);
    endpoints.open(segmentLog, queryService, tracker, views);
    retentionJob = new RetentionJob(runs, segmentLog, options.retention());
    retentionJob.start();
    DaemonThreads.daemon("fedometer-lifecycle", this::run).start();
  }

  /**
   * Stops when the segment log fails: the collector would keep the store and sources and answer no
   * request.
   */
  private void run() {
    long pauseMillis = idleExit == null ? Long.MAX_VALUE : IDLE_CHECK_MILLIS;
    try {
      while (!segmentLog.awaitEnd(pauseMillis)) {
        if (idleExit != null && tracker.endIfIdle()) {
          LOG.info("No client is connected; the collector stops");
          break;
        }
      }
      close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public SegmentLog segmentLog() {
    return segmentLog;
  }

  /** Returns the exporter of points to InfluxDB, or null. */
  public LiveInflux influx() {
    return views.influx();
  }

  /** Returns the address of the HTTP endpoint, or null. */
  public InetSocketAddress httpAddress() {
    return endpoints.httpAddress();
  }

  public InetSocketAddress address() {
    return endpoints.address();
  }

  /** Waits until the collector has stopped, by {@link #close()} or by itself. */
  public StopReason awaitStop() throws InterruptedException {
    stopped.await();
    return segmentLog.hasFailed() ? StopReason.FAILED : StopReason.STOPPED;
  }

  /** Returns whether it stopped within the timeout. For tests. */
  public boolean awaitStop(Duration timeout) throws InterruptedException {
    return stopped.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stores received frames, seals open segments and stops; blocks until done. */
  @Override
  public synchronized void close() {
    if (stopped.getCount() == 0) {
      return;
    }
    try {
      closePart(endpoints::withdraw);
      closePart(endpoints::stopAccepting);
      closePart(endpoints::closeHttp);
      closePart(views.dashboard());
      closePart(retentionJob);
      closePart(this::stopSegmentLog);
      closePart(views.rollups());
      closePart(views.influx());
      closePart(endpoints::closeConnections);
      closePart(queryService);
      closePart(() -> guard.release(segmentLog));
      if (retentionJob != null) {
        LOG.info("The collector of {} has ended", store);
      }
    } finally {
      stopped.countDown();
    }
  }

  /**
   * Closes a part and logs its failure, so that the others, above all the store's lock, are closed
   * too.
   */
  private void closePart(AutoCloseable part) {
    try {
      if (part != null) {
        part.close();
      }
    } catch (IOException e) {
      LOG.warn("{}: a part of the collector did not stop cleanly: {}", store, FailureText.of(e));
    } catch (Exception | Error e) {
      LOG.error("{}: a part of the collector did not stop cleanly", store, e);
    }
  }

  private void stopSegmentLog() {
    if (segmentLog == null) {
      return;
    }
    try {
      boolean allSealed = segmentLog.stop(STOP_TIMEOUT);
      if (segmentLog.hasFailed()) {
        LOG.error("The segment log has failed; the next collector seals the unsealed segments");
      } else if (!allSealed) {
        LOG.error("Some segments are not sealed; the next collector seals them");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
