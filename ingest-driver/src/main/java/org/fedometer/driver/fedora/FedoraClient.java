package org.fedometer.driver.fedora;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.fedometer.driver.threads.DaemonThreads;
import org.fedometer.wire.tls.TlsTrust;

/**
 * A connection pool to one Fedora. Thread-safe, each thread with its own {@link FedoraSession}.
 *
 * <p>Never retries, redirects or decompresses on its own: an ingest counts what went over the wire.
 */
public final class FedoraClient implements AutoCloseable {

  /** Chunk of a streamed body, and buffer of each connection. */
  private static final int CHUNK_BYTES = 32 * 1024;

  private final FedoraLogin login;
  private final FedoraClientOptions options;
  private final String authorization;
  private final PoolingHttpClientConnectionManager connections;
  private final CloseableHttpClient http;
  private final ScheduledExecutorService watchdog;
  private final Set<FedoraSession> sessions = ConcurrentHashMap.newKeySet();

  /**
   * Serializes the logins of this client. Fedora reads its user file into a document that is not
   * safe for concurrent readers. When first logins race, every later login is refused until that
   * file is touched.
   */
  final ReentrantLock loginLock = new ReentrantLock();

  /** Incremented when Fedora may have restarted; every session then logs in again first. */
  private final AtomicLong loginEpoch = new AtomicLong(1);

  private final AtomicLong sessionsLost = new AtomicLong();
  private volatile Runnable sessionLost = () -> {};

  /** Fedora's clock by the latest response; null before the first. */
  private volatile ServerTime serverTime;

  /**
   * A date from Fedora.
   *
   * @param fedoraMillis may be up to a second too low
   * @param nanos {@code System.nanoTime()}, since this host's wall clock may be set meanwhile
   */
  private record ServerTime(long fedoraMillis, long nanos) {}

  private FedoraClient(FedoraLogin login, FedoraClientOptions options) {
    this.login = login;
    this.options = options;
    this.authorization = login.authorization();
    this.connections = connections(login, options);
    this.http = httpClient(connections);
    this.watchdog =
        Executors.newSingleThreadScheduledExecutor(
            DaemonThreads.newFactory("fedometer-request-limit"));
    watchdog.scheduleWithFixedDelay(this::cancelOverdue, 250, 250, TimeUnit.MILLISECONDS);
  }

  /**
   * Creates a client without sending anything.
   *
   * @throws IllegalArgumentException with a one-sentence message, if the login's CA file is
   *     unusable
   */
  public static FedoraClient open(FedoraLogin login, FedoraClientOptions options) {
    return new FedoraClient(
        Objects.requireNonNull(login, "login"), Objects.requireNonNull(options, "options"));
  }

  private static PoolingHttpClientConnectionManager connections(
      FedoraLogin login, FedoraClientOptions options) {
    return PoolingHttpClientConnectionManagerBuilder.create()
        .setTlsSocketStrategy(tls(login))
        .setMaxConnTotal(options.connections())
        .setMaxConnPerRoute(options.connections())
        .setConnectionFactory(
            ManagedHttpClientConnectionFactory.builder()
                .http1Config(
                    Http1Config.custom()
                        .setBufferSize(CHUNK_BYTES)
                        .setChunkSizeHint(CHUNK_BYTES)
                        .setMaxHeaderCount(200)
                        .setMaxLineLength(64 * 1024)
                        .build())
                .build())
        .setDefaultSocketConfig(
            SocketConfig.custom()
                .setTcpNoDelay(true)
                .setSoTimeout(Timeout.of(options.responseTimeout()))
                .build())
        .setDefaultConnectionConfig(
            ConnectionConfig.custom()
                .setConnectTimeout(Timeout.of(options.connectTimeout()))
                .setSocketTimeout(Timeout.of(options.responseTimeout()))
                .setValidateAfterInactivity(TimeValue.ofMilliseconds(500))
                .build())
        .build();
  }

  /** Returns null for plain connections. */
  private static TlsSocketStrategy tls(FedoraLogin login) {
    if (!"https".equals(login.url().getScheme())) {
      return null;
    }
    try {
      TlsTrust trust = login.ca() == null ? TlsTrust.ofJvm() : TlsTrust.ofPemFile(login.ca());
      X509ExtendedTrustManager check =
          trust.checkOf(login.url().getHost(), "Fedora", "--fedora-ca");
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {check}, null);
      return new DefaultClientTlsStrategy(context);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This JVM cannot make TLS connections", e);
    }
  }

  /** Returns a client; the session configures each request. */
  private static CloseableHttpClient httpClient(PoolingHttpClientConnectionManager connections) {
    return HttpClients.custom()
        .setConnectionManager(connections)
        .disableAutomaticRetries()
        .disableRedirectHandling()
        .disableAuthCaching()
        .disableContentCompression()
        .setUserAgent("Fedometer")
        .build();
  }

  /** Creates a session; sessions are not thread-safe. */
  public FedoraSession newSession() {
    FedoraSession session = new FedoraSession(this);
    sessions.add(session);
    return session;
  }

  /** Raises the maximum number of connections; never lowers it. */
  public synchronized void allowConnections(int number) {
    if (number > connections.getMaxTotal()) {
      connections.setDefaultMaxPerRoute(number);
      connections.setMaxTotal(number);
    }
  }

  /** Cancels every request under way; each fails on its own thread with an {@code IOException}. */
  public void cancelRequests() {
    sessions.forEach(FedoraSession::cancel);
  }

  /** Cancels requests under way and closes all connections. */
  @Override
  public void close() {
    watchdog.shutdownNow();
    cancelRequests();
    http.close(CloseMode.IMMEDIATE);
  }

  FedoraLogin login() {
    return login;
  }

  /** Returns the initial options; {@link #allowConnections} does not change them. */
  public FedoraClientOptions options() {
    return options;
  }

  String authorization() {
    return authorization;
  }

  CloseableHttpClient http() {
    return http;
  }

  long loginEpoch() {
    return loginEpoch.get();
  }

  /**
   * Sets a listener for sessions that Fedora no longer knows, because it restarted or they expired.
   * Runs on the requesting thread.
   */
  public void onSessionLost(Runnable listener) {
    sessionLost = listener;
  }

  void sessionLost() {
    sessionsLost.incrementAndGet();
    sessionLost.run();
  }

  public long sessionsLost() {
    return sessionsLost.get();
  }

  /** Forces new logins, after Fedora came back: its sessions may be lost. */
  public void expireLogins() {
    loginEpoch.incrementAndGet();
  }

  /** Returns the time by Fedora's clock, up to about a second too early. */
  long fedoraMillis() {
    ServerTime latest = serverTime;
    return latest == null
        ? System.currentTimeMillis()
        : latest.fedoraMillis() + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - latest.nanos());
  }

  void updateServerTime(long fedoraMillis) {
    serverTime = new ServerTime(fedoraMillis, System.nanoTime());
  }

  void forget(FedoraSession session) {
    sessions.remove(session);
  }

  private void cancelOverdue() {
    long now = System.nanoTime();
    for (FedoraSession session : sessions) {
      session.cancelIfOverdue(now);
    }
  }
}
