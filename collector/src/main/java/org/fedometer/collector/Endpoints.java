package org.fedometer.collector;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import org.fedometer.collector.http.CollectorPages;
import org.fedometer.collector.http.HttpListener;
import org.fedometer.collector.logs.AssumedEvents;
import org.fedometer.collector.logs.LogIntake;
import org.fedometer.collector.measured.MeasuredSources;
import org.fedometer.collector.query.QueryService;
import org.fedometer.collector.receive.ConnectionTracker;
import org.fedometer.collector.receive.Listener;
import org.fedometer.collector.receive.TlsFiles;
import org.fedometer.collector.receive.TlsIdentity;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.store.StoreIdentity;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.HostBoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for sources, readers and HTTP clients, and publishes the addresses in the store's {@code
 * collector.json}. Opened and closed by one thread, read by any.
 */
final class Endpoints {
  private static final Logger LOG = LoggerFactory.getLogger(CollectorServer.class);

  private final EndpointOptions options;
  private final String token;
  private final TlsIdentity tls;
  private final Path store;

  /** Certificate that local clients trust; null before {@link #prepare} and without TLS. */
  private Path certificate;

  // Null until opened:
  private Listener listener;
  private HttpListener http;

  /**
   * Creates endpoints that do not listen yet.
   *
   * @param token required of sources, or empty for none
   * @param tls the result of {@link #check}
   */
  Endpoints(EndpointOptions options, String token, TlsIdentity tls, Path store) {
    this.options = options;
    this.token = token;
    this.tls = tls;
    this.store = store;
  }

  /**
   * Rejects unusable endpoints before a store is created.
   *
   * @param isNew whether the store does not exist yet; none is created for an unavailable address
   * @return null for plain connections
   * @throws IOException if the certificate or key is unusable or an address unavailable; the
   *     message is one sentence
   * @throws IllegalArgumentException if access would be open without {@code --insecure}; the
   *     message is one sentence
   */
  static TlsIdentity check(EndpointOptions options, String token, boolean isNew)
      throws IOException {
    TlsFiles files = options.tls();
    options.access().check("--listen", options.listen(), files, !token.isEmpty());
    if (options.http() != null) {
      options.access().check("--http", options.http(), files, !token.isEmpty());
    }
    TlsIdentity identity = files == null ? null : TlsIdentity.of(files);
    if (isNew) {
      Listener.check(options.listen());
    }
    return identity;
  }

  /**
   * Writes the copy of the certificate. Call before all other parts are opened.
   *
   * @throws IOException if the copy cannot be written; the message is one sentence
   */
  void prepare() throws IOException {
    certificate = tls == null ? null : certificateFile();
  }

  /**
   * @throws IOException if an address is unavailable; the message is one sentence
   */
  void open(
      SegmentLog segmentLog, QueryService queryService, ConnectionTracker tracker, LiveViews views)
      throws IOException {
    AssumedEvents assumed = new AssumedEvents();
    LogIntake logs =
        new LogIntake(
            options.access().logSenders(!token.isEmpty()),
            new MeasuredSources(segmentLog, tracker::sourceArrived, HostBoot.ID),
            StoreIdentity.of(store).id(),
            assumed);
    listener = listen(segmentLog, queryService, tracker, logs);
    if (options.http() != null) {
      http =
          new CollectorPages(
                  version(),
                  store,
                  segmentLog::stats,
                  tracker.refusals(),
                  views.counts(),
                  assumed,
                  views.dashboard(),
                  views.influx() == null ? null : views.influx()::status)
              .open(options.http(), tls, token);
      announceHttp();
    }
    announce();
  }

  /** Prefers the last collector's port, since its agents keep reconnecting there. */
  private Listener listen(
      SegmentLog segmentLog, QueryService queryService, ConnectionTracker tracker, LogIntake logs)
      throws IOException {
    InetSocketAddress requested = options.listen();
    boolean anyPort = requested.getPort() == 0 && !requested.isUnresolved();
    int last = anyPort ? LastPort.read(store) : 0;
    if (last > 0) {
      try {
        InetSocketAddress before = new InetSocketAddress(requested.getAddress(), last);
        return Listener.listen(
            before, tls, segmentLog, queryService, tracker, logs, options.access());
      } catch (IOException e) {
        LOG.warn(
            "The last collector of {} had port {}, which is not available now ({}); agents that"
                + " send to that port do not reach this collector",
            store,
            last,
            FailureText.of(e.getCause() == null ? e : e.getCause()));
      }
    }
    return Listener.listen(
        requested, tls, segmentLog, queryService, tracker, logs, options.access());
  }

  private void announceHttp() {
    String where = NetUtil.toSocketAddressString(http.address());
    LOG.info("HTTP: the dashboard, /health and /metrics on {}", where);
    if (!http.address().getAddress().isLoopbackAddress() && token.isEmpty()) {
      LOG.warn("Without a token (--token-file), every client that reaches {} can read them", where);
    }
  }

  private void announce() throws IOException {
    InetAddress host = address().getAddress();
    new CollectorFile(
            ProcessHandle.current().pid(),
            ProcessHandle.current().info().startInstant().orElseGet(Instant::now).toString(),
            host.isAnyLocalAddress() ? "127.0.0.1" : host.getHostAddress(),
            address().getPort(),
            version(),
            certificate == null ? null : certificate.toString(),
            http == null ? null : urlOf(http.address()))
        .write(store);
    try {
      LastPort.write(store, address().getPort());
    } catch (IOException e) {
      LOG.warn(
          "The port cannot be saved; the next collector of {} may have another port: {}",
          store,
          FailureText.of(e));
    }
    String where = listener.addressText(options.listen());
    LOG.info("The collector listens on {}, store {}", where, store);
    if (tls == null && !host.isLoopbackAddress()) {
      LOG.warn(
          "Without TLS (--tls-certificate, --tls-key), samples and token travel in the clear to {}",
          where);
    }
    if (token.isEmpty()
        && (tls == null || !options.tls().requiresCertificates())
        && !host.isLoopbackAddress()) {
      LOG.warn(
          "Without a token (--token-file), every client that reaches {} can send and query", where);
    }
  }

  /** Returns a PEM file with which local clients can verify the collector. */
  private Path certificateFile() throws IOException {
    if (options.tls().key().pemKeyOrNull() != null) {
      return options.tls().key().file();
    }
    Path copy = store.resolve("collector.pem");
    tls.keepCopyIn(copy);
    return copy;
  }

  private String urlOf(InetSocketAddress address) {
    InetSocketAddress reached =
        address.getAddress().isAnyLocalAddress()
            ? new InetSocketAddress("127.0.0.1", address.getPort())
            : address;
    return (tls == null ? "http://" : "https://") + NetUtil.toSocketAddressString(reached) + "/";
  }

  private static String version() {
    String version = Endpoints.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  InetSocketAddress address() {
    return listener.address();
  }

  /** Returns the HTTP address, or null without HTTP. */
  InetSocketAddress httpAddress() {
    return http == null ? null : http.address();
  }

  // ---- shutdown, in this order ----

  /** Removes the collector's address from the store. */
  void withdraw() throws IOException {
    CollectorFile.delete(store);
  }

  /** Refuses new sources; the segment log notifies connected ones of the shutdown. */
  void stopAccepting() {
    if (listener != null) {
      listener.stopAccepting();
    }
  }

  void closeHttp() {
    if (http != null) {
      http.close();
    }
  }

  void closeConnections() {
    if (listener != null) {
      listener.close();
    }
  }
}
