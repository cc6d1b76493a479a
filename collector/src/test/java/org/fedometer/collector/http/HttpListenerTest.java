package org.fedometer.collector.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.SocketFactory;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorProcess;
import org.fedometer.collector.CollectorServer;
import org.fedometer.collector.EndpointOptions;
import org.fedometer.collector.RawSource;
import org.fedometer.collector.dashboard.Dashboard;
import org.fedometer.collector.logs.AssumedEvents;
import org.fedometer.collector.receive.RefusalLog;
import org.fedometer.collector.receive.Refusals;
import org.fedometer.collector.receive.TlsFiles;
import org.fedometer.collector.segmentlog.SegmentLogStats;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Totals;
import org.fedometer.wire.tls.TestCertificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Responses of a collector's HTTP endpoint, and access to them. */
@Timeout(120)
class HttpListenerTest {
  private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);
  private static final EndpointOptions WITH_HTTP = EndpointOptions.at(ANY_PORT).withHttp(ANY_PORT);

  @TempDir Path store;
  private final Refusals refusals = new Refusals();
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final RefusalLog refusalLog = RefusalLog.of(refusals, log::add);

  /** Response of the page {@code /later}, completed by the test. */
  private final CompletableFuture<Response> later = new CompletableFuture<>();

  private final AtomicInteger deferredRequested = new AtomicInteger();

  @Test
  void servesMetricsInPrometheusFormat() throws Exception {
    UUID uuid = UUID.randomUUID();
    try (CollectorServer collector = start();
        RawSource source = RawSource.connect(collector.address(), "live", uuid)) {
      source.frame(
          FrameType.STAGES.code(),
          1,
          new Dictionary().put(0, "ingest").put(1, "odd \"\\\n name").encode());
      source.frame(FrameType.SAMPLES.code(), 2, samples(300));
      source.frame(
          FrameType.TOTALS.code(),
          3,
          new Totals(
                  List.of(
                      new Totals.StageTotal(0, 300, 3, 4_500_000_000L),
                      new Totals.StageTotal(1, 7, 0, 7_000_000_000L)),
                  0,
                  0,
                  0,
                  0,
                  0,
                  false)
              .encode());
      assertThat(source.awaitAcknowledgement(3)).isTrue();
      garbage(collector.address());

      Map<String, Double> metrics =
          await()
              .atMost(60, TimeUnit.SECONDS)
              .until(
                  () -> PrometheusText.read(get(collector.httpAddress(), "/metrics").body()),
                  read ->
                      read.get("fedometer_frames_durable_total") == 3
                          && read.get("fedometer_sources_connected") == 1
                          && read.get("fedometer_connections_refused_total{reason=\"malformed\"}")
                              == 1);

      String ofStage = "{run=\"live\",source=\"" + uuid + "\",stage=\"ingest\"}";
      String ofOdd = "{run=\"live\",source=\"" + uuid + "\",stage=\"odd \\\"\\\\\\n name\"}";
      assertThat(metrics)
          .containsEntry("fedometer_frames_durable_total", 3.0)
          .containsEntry("fedometer_samples_durable_total", 300.0)
          .containsEntry("fedometer_runs_open", 1.0)
          .containsEntry("fedometer_runs_failing", 0.0)
          .containsEntry("fedometer_runs_not_writable", 0.0)
          .containsEntry("fedometer_queue_bytes", 0.0)
          .containsEntry("fedometer_stage_executions_total" + ofStage, 300.0)
          .containsEntry("fedometer_stage_failures_total" + ofStage, 3.0)
          .containsEntry("fedometer_stage_seconds_total" + ofStage, 4.5)
          .containsEntry("fedometer_stage_executions_total" + ofOdd, 7.0);
      assertThat(metrics.get("fedometer_frame_bytes_durable_total")).isGreaterThan(300);
      assertThat(metrics.get("fedometer_syncs_total")).isPositive();
      assertThat(metrics.get("fedometer_sync_seconds_total")).isPositive();
      assertThat(metrics.get("fedometer_store_free_bytes")).isPositive();
      String manual = Files.readString(Path.of("../docs/collector.md"));
      assertThat(metrics.keySet())
          .as("docs/collector.md has each")
          .allMatch(name -> manual.contains("`" + name.replaceFirst("[{].*", "")));
    }
  }

  @Test
  void servesMetricsWhileTheDiskHangs() throws Exception {
    Path lost = store.resolve("lost");
    try (CollectorServer collector =
        CollectorServer.start(CollectorOptions.foreground(WITH_HTTP, lost))) {
      Path elsewhere = Files.move(lost, store.resolve("elsewhere"));

      HttpResult metrics = get(collector.httpAddress(), "/metrics");
      assertThat(metrics.status()).isEqualTo(200);
      assertThat(PrometheusText.read(metrics.body()))
          .containsKey("fedometer_runs_open")
          .doesNotContainKey("fedometer_store_free_bytes");
      assertThat(get(collector.httpAddress(), "/health").status()).isEqualTo(503);
      Files.move(elsewhere, lost);
    }
  }

  @Test
  void isHealthyWhileFramesCanBeStored() throws Exception {
    try (CollectorServer collector = start();
        RawSource source = RawSource.connect(collector.address(), "live")) {
      source.frame(FrameType.SAMPLES.code(), 1, samples(1));
      assertThat(source.awaitAcknowledgement(1)).isTrue();

      JsonNode health =
          await()
              .atMost(60, TimeUnit.SECONDS)
              .until(
                  () -> json(get(collector.httpAddress(), "/health")),
                  read -> read.get("sourcesConnected").asInt() == 1);
      assertThat(health.get("state").asText()).isEqualTo("ok");
      assertThat(health.get("store").asText()).isEqualTo(store.toRealPath().toString());
      assertThat(health.get("storeFreeBytes").asLong()).isPositive();
      assertThat(health.get("secondsSinceDurable").asLong()).isBetween(0L, 60L);
      assertThat(health.get("failures")).isEmpty();
      assertThat(health.has("version")).isTrue();
    }
  }

  @Test
  void isUnhealthyWhenFramesCannotBeStored() throws Exception {
    boolean canLimit = Files.isExecutable(Path.of("/usr/bin/prlimit"));
    if (!"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      assumeThat(canLimit).as("prlimit (package util-linux) makes writing fail").isTrue();
    }
    assertThat(canLimit).isTrue();
    int port = freePort();
    InetSocketAddress http = new InetSocketAddress("127.0.0.1", freePort());
    try (CollectorProcess collector = CollectorProcess.startWithHttp(store, port, http.getPort())) {
      await()
          .atMost(60, TimeUnit.SECONDS)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> get(http, "/health").status() == 200);
      collector.limitFiles("30000");
      try (RawSource source = RawSource.connect(new InetSocketAddress("127.0.0.1", port), "live")) {
        source.frame(FrameType.SAMPLES.code(), 1, new byte[50_000]);
        await()
            .atMost(60, TimeUnit.SECONDS)
            .untilAsserted(
                () -> {
                  HttpResult result = get(http, "/health");
                  assertThat(result.status()).isEqualTo(503);
                  assertThat(json(result).get("state").asText()).isEqualTo("cannot-write");
                  assertThat(json(result).get("failures").get("live").asText())
                      .contains("cannot write");
                });
      }
    }
  }

  @Test
  void isHealthyWithUnknownFreeSpace() throws Exception {
    SegmentLogStats figures = new SegmentLogStats(true, 1, 1, 0, 5, 5_000_000, 0, 0, 0, Map.of());
    CollectorPages pages =
        new CollectorPages(
            "1.0",
            Path.of("/proc"), // a file system that has no size
            () -> figures,
            refusals,
            new FrameCounts(),
            new AssumedEvents(),
            null,
            null);

    try (HttpListener listener = open(new Routes().open("/health", new HealthPage(pages)))) {
      HttpResult health = get(listener.address(), "/health");

      assertThat(health.status()).isEqualTo(200);
      assertThat(json(health).get("state").asText()).isEqualTo("ok");
      assertThat(json(health).get("storeFreeBytes").isNull()).isTrue();
    }
  }

  @Test
  void servesTlsOnly() throws Exception {
    Path keys = Files.createDirectory(store.resolve("keys"));
    TestCertificates certificates = new TestCertificates(keys);
    certificates.selfSigned("own", "dns:localhost,ip:127.0.0.1");
    TlsFiles files =
        new TlsFiles(
            certificates.certificate("own", keys.resolve("own.pem")),
            certificates.key("own", keys.resolve("own.key")));
    try (CollectorServer collector =
        CollectorServer.start(CollectorOptions.foreground(WITH_HTTP.withTls(files), store))) {
      assertThat(
              send(collector.httpAddress(), certificates.trusting("own"), request("/health", ""))
                  .status())
          .isEqualTo(200);
      assertThat(rawResponse(collector.httpAddress(), request("/health", ""))).isEmpty();
    }
  }

  @Test
  void requiresTheTokenBeyondLoopback() throws Exception {
    HttpAccess elsewhere = HttpAccess.of(new InetSocketAddress("192.0.2.7", 80), "secret");
    try (HttpListener listener = openListener(elsewhere, HttpListener.Limits.DEFAULT)) {
      assertThat(get(listener.address(), "/guarded").status()).isEqualTo(401);
      assertThat(get(listener.address(), "/guarded").head()).contains("www-authenticate: bearer");
      for (String wrong : List.of("Bearer secre", "Bearer secrets", "Basic secret", "secret")) {
        assertThat(
                send(listener.address(), request("/guarded", "Authorization: " + wrong + "\r\n"))
                    .status())
            .isEqualTo(401);
      }
      assertThat(refusals.counts()).containsEntry("not-welcome", 6L);
      assertThat(log)
          .hasSize(6)
          .allMatch(line -> line.startsWith("Refused /127.0.0.1:") && line.endsWith("/guarded"));
      assertThat(
              send(listener.address(), request("/guarded", "Authorization: Bearer secret\r\n"))
                  .body())
          .isEqualTo("all\n");
      assertThat(get(listener.address(), "/open").body()).isEqualTo("little\n");
    }
  }

  @Test
  void rejectsMalformedRequests() throws Exception {
    try (HttpListener listener =
        openListener(HttpAccess.of(ANY_PORT, "secret"), HttpListener.Limits.DEFAULT)) {
      InetSocketAddress at = listener.address();
      assertThat(get(at, "/guarded").body()).as("of loopback, without a token").isEqualTo("all\n");
      assertThat(get(at, "/open?x=1").status()).isEqualTo(200);
      assertThat(get(at, "/").status()).isEqualTo(404);
      assertThat(get(at, "/open/../guarded/").status()).isEqualTo(404);
      assertThat(get(at, "/%zz").status()).isEqualTo(400);
      assertThat(send(at, "GET /open HTTP/1.1\r\nHost: evil.example\r\n\r\n").status())
          .isEqualTo(421);
      assertThat(send(at, "GET /open HTTP/1.1\r\nHost: 127.0.0.1.evil.example:80\r\n\r\n").status())
          .isEqualTo(421);
      assertThat(send(at, "GET /open HTTP/1.1\r\n\r\n").status()).isEqualTo(421);
      assertThat(send(at, "GET /open HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n").status())
          .isEqualTo(421);
      assertThat(send(at, "GET /open HTTP/1.1\r\nHost: [::1]:80\r\n\r\n").status()).isEqualTo(200);
      HttpResult posted = send(at, "POST /open HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(posted.status()).isEqualTo(405);
      assertThat(posted.head()).contains("allow: get, head");
      assertThat(
              send(at, "POST /open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n")
                  .status())
          .isEqualTo(405);
      assertThat(get(at, "/" + "x".repeat(10_000)).status()).isEqualTo(400);
      assertThat(rawResponse(at, "\u0016\u0003\u0001 not http\r\n\r\n"))
          .matches(answer -> answer.isEmpty() || answer.startsWith("HTTP/1.1 400"));

      HttpResult head = send(at, "HEAD /open HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
      assertThat(head.head())
          .contains("content-length: 4")
          .contains("x-content-type-options: nosniff")
          .contains("content-security-policy: default-src 'none'")
          .contains("cache-control: no-store")
          .contains("connection: close");
      assertThat(get(at, "/failing").status()).isEqualTo(500);
      assertThat(get(at, "/failing").body()).doesNotContain("inside");
    }
  }

  @Test
  void closesSlowRequests() throws Exception {
    HttpListener.Limits impatient =
        new HttpListener.Limits(
            3, 3, Duration.ofMillis(300), Duration.ofSeconds(60), Duration.ofSeconds(60), 1 << 20);
    try (HttpListener listener = openListener(HttpAccess.of(ANY_PORT, ""), impatient);
        Socket slow = new Socket(listener.address().getAddress(), listener.address().getPort())) {
      slow.setSoTimeout(60_000);
      slow.getOutputStream().write("GET /op".getBytes(StandardCharsets.US_ASCII));
      assertThat(slow.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void rejectsConnectionsBeyondTheLimit() throws Exception {
    HttpListener.Limits patient =
        new HttpListener.Limits(
            1, 1, Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(60), 1 << 20);
    try (HttpListener listener = openListener(HttpAccess.of(ANY_PORT, ""), patient)) {
      try (Socket place =
          new Socket(listener.address().getAddress(), listener.address().getPort())) {
        requestAsync(place);
        await()
            .atMost(60, TimeUnit.SECONDS)
            .until(() -> rawResponse(listener.address(), request("/open", "")).isEmpty());
      }
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(
              () ->
                  rawResponse(listener.address(), request("/open", "")).startsWith("HTTP/1.1 200"));
    }
  }

  @Test
  void replacesConnectionsWithoutARequest() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (HttpListener listener =
        openListener(HttpAccess.of(ANY_PORT, ""), HttpListener.Limits.DEFAULT)) {
      for (int i = 0; i < 200; i++) {
        Socket socket = new Socket(listener.address().getAddress(), listener.address().getPort());
        silent.add(socket);
        socket.getOutputStream().write("GET /op".getBytes(StandardCharsets.US_ASCII));
      }
      assertThat(rawResponse(listener.address(), request("/open", ""))).startsWith("HTTP/1.1 200");
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void limitsConnectionsPerAddress() throws Exception {
    HttpListener.Limits patient =
        new HttpListener.Limits(
            10, 2, Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(60), 1 << 20);
    try (HttpListener listener = openListener(HttpAccess.of(ANY_PORT, ""), patient);
        Socket first = new Socket(listener.address().getAddress(), listener.address().getPort());
        Socket second = new Socket(listener.address().getAddress(), listener.address().getPort())) {
      requestAsync(first);
      requestAsync(second);
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> rawResponse(listener.address(), request("/open", "")).isEmpty());
      try (Socket other =
          new Socket(
              listener.address().getAddress(),
              listener.address().getPort(),
              InetAddress.getByName("127.0.0.2"),
              0)) {
        other.setSoTimeout(60_000);
        other.getOutputStream().write(request("/open", "").getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(other.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 200");
      }
    }
  }

  @Test
  void closesOnlyStalledStreams() throws Exception {
    AtomicReference<Reply.EventSink> slow = new AtomicReference<>();
    AtomicReference<Reply.EventSink> quick = new AtomicReference<>();
    CountDownLatch slowGone = new CountDownLatch(1);
    Routes routes =
        new Routes()
            .guarded("/slow", request -> streamTo(slow, slowGone::countDown))
            .guarded("/quick", request -> streamTo(quick, () -> {}));
    try (HttpListener listener = open(routes);
        Socket still = new Socket()) {
      still.setReceiveBufferSize(4096);
      still.connect(listener.address());
      still.getOutputStream().write(request("/slow", "").getBytes(StandardCharsets.US_ASCII));
      CompletableFuture<String> taken =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return rawResponse(listener.address(), request("/quick", ""));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      await().atMost(60, TimeUnit.SECONDS).until(() -> slow.get() != null && quick.get() != null);
      byte[] event = ("data: " + "x".repeat(64_000) + "\n\n").getBytes(StandardCharsets.US_ASCII);
      await()
          .atMost(60, TimeUnit.SECONDS)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> !slow.get().send(event));
      assertThat(slowGone.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(slow.get().send(event)).isFalse();

      assertThat(quick.get().send("data: last\n\n".getBytes(StandardCharsets.US_ASCII))).isTrue();
      quick.get().end();
      assertThat(taken.get(60, TimeUnit.SECONDS))
          .contains("text/event-stream")
          .contains("data: last\n\n")
          .endsWith("\r\n0\r\n\r\n");
    }
  }

  @Test
  void countsRejectedConnections() throws Exception {
    HttpListener.Limits narrow =
        new HttpListener.Limits(
            1, 1, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1), 1 << 20);
    try (HttpListener listener = openListener(HttpAccess.of(ANY_PORT, ""), narrow);
        Socket first = new Socket(listener.address().getAddress(), listener.address().getPort())) {
      first.setSoTimeout(60_000);
      requestAsync(first);
      await().atMost(60, TimeUnit.SECONDS).until(() -> deferredRequested.get() == 1);
      try (Socket second =
          new Socket(listener.address().getAddress(), listener.address().getPort())) {
        second.setSoTimeout(60_000);
        assertThat(second.getInputStream().read()).isEqualTo(-1);
      }

      assertThat(refusals.counts()).containsEntry("full", 1L);
      assertThat(log).hasSize(1).first().asString().startsWith("Refused /127.0.0.1:");
      later.complete(Response.text(200, "all"));
      assertThat(first.getInputStream().read()).as("the first one is answered").isEqualTo('H');
    }
  }

  @Test
  void streamsHaveNoTimeoutAndAcceptNoFurtherRequest() throws Exception {
    AtomicReference<Reply.EventSink> sink = new AtomicReference<>();
    CountDownLatch gone = new CountDownLatch(1);
    Routes routes = new Routes().guarded("/stream", request -> streamTo(sink, gone::countDown));
    HttpListener.Limits impatient =
        new HttpListener.Limits(
            1, 1, Duration.ofSeconds(1), Duration.ofMillis(200), Duration.ofMillis(200), 1 << 20);
    try (HttpListener listener =
            HttpListener.open(
                ANY_PORT, null, HttpAccess.of(ANY_PORT, ""), routes, impatient, refusalLog);
        Socket viewer = new Socket(listener.address().getAddress(), listener.address().getPort())) {
      viewer.setSoTimeout(60_000);
      viewer.getOutputStream().write(request("/stream", "").getBytes(StandardCharsets.US_ASCII));
      await().atMost(60, TimeUnit.SECONDS).until(() -> sink.get() != null);
      // Others repeatedly get the one slot, for longer than the response timeout.
      for (int i = 0; i < 5; i++) {
        try (Socket silent =
            new Socket(listener.address().getAddress(), listener.address().getPort())) {
          silent.setSoTimeout(60_000);
          assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
      }
      assertThat(sink.get().send("data: 1\n\n".getBytes(StandardCharsets.US_ASCII))).isTrue();
      assertThat(gone.getCount()).isEqualTo(1);

      viewer.getOutputStream().write(request("/stream", "").getBytes(StandardCharsets.US_ASCII));
      assertThat(gone.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void requiresTheTokenForDataButNotForThePage() throws Exception {
    HttpAccess elsewhere = HttpAccess.of(new InetSocketAddress("192.0.2.7", 80), "secret");
    Files.createDirectories(store.resolve("runs/live"));
    try (Dashboard dashboard = new Dashboard(store, Dashboard.Limits.defaults())) {
      Routes routes = new Routes();
      DashboardPages.addTo(routes, dashboard);
      try (HttpListener listener =
          HttpListener.open(
              ANY_PORT, null, elsewhere, routes, HttpListener.Limits.DEFAULT, refusalLog)) {
        for (String path :
            List.of(
                "/api/runs", "/api/run?name=live", "/api/history?run=live", "/api/live?run=live")) {
          assertThat(get(listener.address(), path).status()).as(path).isEqualTo(401);
          assertThat(
                  send(listener.address(), request(path, "Authorization: Bearer secret\r\n"))
                      .status())
              .as(path)
              .isEqualTo(200);
          assertThat(
                  send(
                          listener.address(),
                          "HEAD " + request(path, "Authorization: Bearer secret\r\n").substring(4))
                      .body())
              .as(path)
              .isEmpty();
        }
        assertThat(get(listener.address(), "/").status()).isEqualTo(200);
        HttpResult script = get(listener.address(), "/assets/dashboard.js");
        assertThat(script.status()).isEqualTo(200);
        assertThat(script.head()).contains("content-type: text/javascript");
        String tag = script.head().replaceAll("(?s).*etag: w/(\"[^\"]*\").*", "W/$1");
        assertThat(
                send(
                        listener.address(),
                        request("/assets/dashboard.js", "If-None-Match: " + tag + "\r\n"))
                    .status())
            .isEqualTo(304);
      }
    }
    try (CollectorServer collector = start()) {
      assertThat(
              send(collector.httpAddress(), "GET /api/runs HTTP/1.1\r\nHost: evil.example\r\n\r\n")
                  .status())
          .isEqualTo(421);
    }
  }

  private static Reply.Stream streamTo(AtomicReference<Reply.EventSink> sink, Runnable end) {
    return to -> {
      sink.set(to);
      return new Reply.StreamStart(end, null);
    };
  }

  private HttpListener open(Routes routes) throws IOException {
    return HttpListener.open(
        ANY_PORT,
        null,
        HttpAccess.of(ANY_PORT, ""),
        routes,
        HttpListener.Limits.DEFAULT,
        refusalLog);
  }

  // ---- the collector ----

  private CollectorServer start() throws IOException {
    return CollectorServer.start(CollectorOptions.foreground(WITH_HTTP, store));
  }

  private HttpListener openListener(HttpAccess visitors, HttpListener.Limits limits)
      throws IOException {
    Page page = request -> Response.text(200, request.trusted() ? "all" : "little");
    Routes routes =
        new Routes()
            .open("/open", page)
            .guarded("/guarded", page)
            .open(
                "/later",
                request -> {
                  deferredRequested.incrementAndGet();
                  return new Reply.Deferred(later);
                })
            .open(
                "/failing",
                request -> {
                  throw new IOException("inside");
                });
    return HttpListener.open(ANY_PORT, null, visitors, routes, limits, refusalLog);
  }

  private static void requestAsync(Socket socket) throws IOException {
    socket.getOutputStream().write(request("/later", "").getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] samples(int count) {
    SampleEncoder encoder = new SampleEncoder();
    for (int i = 0; i < count; i++) {
      encoder.add(0, 1, i, i * 1_000_000L, 700_000, 600_000, false);
    }
    return encoder.finish();
  }

  private static void garbage(InetSocketAddress collector) throws IOException {
    try (Socket socket = new Socket(collector.getAddress(), collector.getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
      socket.getInputStream().readAllBytes();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  // ---- HTTP, so plain that every byte is the test's own ----

  private record HttpResult(int status, String head, String body) {}

  private static String request(String path, String headers) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
  }

  private static HttpResult get(InetSocketAddress at, String path) throws IOException {
    return send(at, request(path, ""));
  }

  private static HttpResult send(InetSocketAddress at, String request) throws IOException {
    return send(at, SocketFactory.getDefault(), request);
  }

  private static HttpResult send(InetSocketAddress at, SocketFactory sockets, String request)
      throws IOException {
    String raw = rawResponse(at, sockets, request);
    int end = raw.indexOf("\r\n\r\n");
    if (!raw.startsWith("HTTP/1.1 ") || end < 0) {
      throw new IOException("No answer: " + raw);
    }
    return new HttpResult(
        Integer.parseInt(raw.substring(9, 12)),
        raw.substring(0, end).toLowerCase(Locale.ROOT),
        raw.substring(end + 4));
  }

  private static String rawResponse(InetSocketAddress at, String request) throws IOException {
    return rawResponse(at, SocketFactory.getDefault(), request);
  }

  private static String rawResponse(InetSocketAddress at, SocketFactory sockets, String request)
      throws IOException {
    try (Socket socket = sockets.createSocket(at.getAddress(), at.getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (SocketException reset) {
      return "";
    }
  }

  private static JsonNode json(HttpResult result) throws IOException {
    return new JsonMapper().readTree(result.body());
  }
}
