package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.FoxmlWriter;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.wire.TestDelay;

/**
 * Sends one Fedora the requests of {@link StagesIT}, and makes it slow where that wants it slow.
 */
final class StageRequests implements AutoCloseable {
  /** Longer than any stage by itself, even on a busy machine. */
  static final Duration DELAY = Duration.ofSeconds(4);

  static final List<String> GOLDEN_PIDS = List.of("golden:a", "golden:b");
  static final String SLOWLY_VALIDATED = "slow:validated";
  static final String SLOWLY_FETCHED = "slow:fetched";
  static final String FIRST_NUMBER = "slow:1000000";
  static final String SECOND_NUMBER = "slow:1000001";
  static final String DURING_THE_FLUSH = "slow:during-the-flush";
  static final String SLOWLY_SENT = "slow:sent";
  static final String AFTER_THE_SLOW_CLIENT = "slow:after-the-client";

  /** Operations that {@link #servesRequestsOfEachKind} leaves in the table of traces. */
  static final List<String> OPERATIONS =
      List.of(
          "add-datastream kinds:a",
          "describe-repository",
          "find-objects",
          "get-datastream kinds:a",
          "get-datastream-dissemination kinds:a",
          "get-dissemination kinds:a",
          "get-next-pid",
          "get-object-profile kinds:a",
          "get-object-profile kinds:none failed",
          "get-object-xml kinds:a",
          "list-datastreams kinds:a",
          "list-methods kinds:a",
          "modify-datastream kinds:a",
          "modify-object kinds:a",
          "oai",
          "purge-datastream kinds:a",
          "purge-object kinds:a",
          "purge-object kinds:soap",
          "risearch",
          "upload");

  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final URI url;
  private final String authorization;
  private final String pid;
  private final Path home;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .cookieHandler(new CookieManager())
          .executor(Executors.newCachedThreadPool())
          .build();
  private final List<AutoCloseable> open = new ArrayList<>();

  private StageRequests(JsonNode stack, Path home) throws IOException {
    String password = Files.readString(Path.of(stack.get("passwordFile").asText())).strip();
    this.url = URI.create(stack.get("url").asText() + "/");
    this.pid = stack.get("pid").asText();
    this.home = home;
    this.authorization =
        "Basic "
            + Base64.getEncoder()
                .encodeToString(
                    (stack.get("user").asText() + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  /** The first request is sent alone: logins that meet break Fedora's. */
  static StageRequests of(JsonNode stack, Path home) throws Exception {
    StageRequests fedora = new StageRequests(stack, home);
    assertThat(fedora.send("POST", "objects/nextPID?format=xml", "")).isEqualTo(200);
    return fedora;
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /**
   * One and the same object under several names; the first ingest of a Fedora is not like others.
   */
  void ingestsGoldenObjects() throws Exception {
    assertThat(ingest(golden("golden:first"), "golden:first")).isEqualTo(201);
    for (String object : GOLDEN_PIDS) {
      assertThat(ingest(golden(object), object)).isEqualTo(201);
    }
  }

  private static byte[] golden(String name) throws IOException {
    ComposedObject generated =
        (ComposedObject)
            Datasets.open(
                    "patents:small",
                    DatasetOptions.unlimited("golden")
                        .withLiteralLimitBytes(DatasetOptions.MIN_LIMIT_BYTES))
                .object(7);
    ByteArrayOutputStream foxml = new ByteArrayOutputStream();
    FoxmlWriter.write(
        new ComposedObject(
            name,
            generated.label(),
            generated.content(),
            generated.dublinCore(),
            generated.relationships()),
        foxml);
    return foxml.toByteArray();
  }

  void servesRequestsOfEachKind() throws Exception {
    assertThat(ingest(golden("kinds:a"), "kinds:a")).isEqualTo(201);
    String object = "objects/kinds:a";
    String note = object + "/datastreams/NOTE";
    assertThat(send("POST", note + "?controlGroup=M&dsLabel=note&mimeType=text/xml", "<note/>"))
        .isEqualTo(201);
    assertThat(send("PUT", note + "?mimeType=text/xml", "<other/>")).isEqualTo(200);
    assertThat(send("PUT", object + "?label=other", null)).isEqualTo(200);
    assertThat(send("GET", note + "?format=xml", null)).isEqualTo(200);
    assertThat(send("GET", note + "/content", null)).isEqualTo(200);
    assertThat(send("GET", object + "/datastreams?format=xml", null)).isEqualTo(200);
    assertThat(send("GET", object + "/objectXML", null)).isEqualTo(200);
    assertThat(send("GET", object + "?format=xml", null)).isEqualTo(200);
    assertThat(send("GET", "objects/kinds:none?format=xml", null)).isEqualTo(404);
    assertThat(send("GET", object + "/methods?format=xml", null)).isEqualTo(200);
    assertThat(send("GET", object + "/methods/fedora-system:3/viewDublinCore", null))
        .isEqualTo(200);
    assertThat(send("GET", "search?terms=kinds*&pid=true&xml=true", null)).isEqualTo(200);
    assertThat(send("GET", "objects?terms=kinds*&pid=true&resultFormat=xml", null)).isEqualTo(200);
    assertThat(send("POST", "objects/nextPID?format=xml", "")).isEqualTo(200);
    assertThat(send("GET", "describe?xml=true", null)).isEqualTo(200);
    assertThat(send("GET", "oai?verb=Identify", null)).isEqualTo(200);
    assertThat(flush()).isEqualTo(200);
    assertThat(upload()).isBetween(200, 202);
    assertThat(soap("ingest", soapIngest(golden("kinds:soap")))).isEqualTo(200);
    assertThat(soap("purgeObject", "<pid>kinds:soap</pid><force>false</force>")).isEqualTo(200);
    assertThat(send("DELETE", note, null)).isBetween(200, 204);
    assertThat(send("DELETE", object, null)).isBetween(200, 204);
  }

  private int upload() throws Exception {
    String boundary = "----of-the-test";
    String body =
        "--%1$s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nsome\r\n--%1$s--\r\n"
            .formatted(boundary);
    return statusOf(
        request("upload")
            .header("Content-Type", "multipart/form-data; boundary=" + boundary)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private static String soapIngest(byte[] foxml) {
    return "<objectXML>"
        + Base64.getEncoder().encodeToString(foxml)
        + "</objectXML><format>info:fedora/fedora-system:FOXML-1.1</format>";
  }

  private int soap(String operation, String arguments) throws Exception {
    String envelope =
        """
        <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">
          <s:Body><f:%1$s xmlns:f="http://www.fedora.info/definitions/1/0/types/">%2$s</f:%1$s></s:Body>
        </s:Envelope>"""
            .formatted(operation, arguments + "<logMessage/>");
    return statusOf(
        request("services/management")
            .header("Content-Type", "text/xml")
            .header("SOAPAction", "\"\"")
            .POST(HttpRequest.BodyPublishers.ofString(envelope)));
  }

  // ---- what fails ----

  /** Fedora logs the refusal at ERROR on the request's thread. */
  void refusesABrokenObject() throws Exception {
    assertThat(ingest("<broken".getBytes(StandardCharsets.UTF_8), "kinds:broken"))
        .isBetween(400, 500);
  }

  /** Fedora accepts this, but PostgreSQL does not; Trippi writes later. */
  void losesTriples() throws Exception {
    String title =
        """
        <foxml:datastream ID="DC" STATE="A" CONTROL_GROUP="X">
          <foxml:datastreamVersion ID="DC1.0" LABEL="DC" MIMETYPE="text/xml"
              FORMAT_URI="http://www.openarchives.org/OAI/2.0/oai_dc/">
            <foxml:xmlContent>
              <oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"
                  xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>%s</dc:title></oai_dc:dc>
            </foxml:xmlContent>
          </foxml:datastreamVersion>
        </foxml:datastream>
        """
            .formatted(incompressible(20_000));
    assertThat(ingest(minimal("kinds:long", title), "kinds:long")).isEqualTo(201);
    Path log = home.resolve("server/logs/fedora.log");
    await()
        .atMost(TIMEOUT)
        .until(
            () ->
                Files.readString(log, StandardCharsets.ISO_8859_1)
                    .contains("Error auto-flushing update buffer"));
  }

  /** PostgreSQL compresses any other text. */
  private static String incompressible(int length) {
    return new Random(6)
        .ints(length, 'a', 'z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  // ---- slow on purpose ----

  /** A slow document type, which the parser of the document requests. */
  void waitsForASlowValidator() throws Exception {
    String system = slowServer("/slow.dtd", "");
    byte[] foxml = minimal(SLOWLY_VALIDATED, "");
    String text = new String(foxml, StandardCharsets.UTF_8);
    String typed =
        text.replaceFirst(
            "\\?>",
            Matcher.quoteReplacement("?><!DOCTYPE foxml:digitalObject SYSTEM \"" + system + "\">"));
    ingest(typed.getBytes(StandardCharsets.UTF_8), SLOWLY_VALIDATED);
  }

  void waitsForSlowContent() throws Exception {
    String content = slowServer("/content", "some");
    String datastream =
        """
        <foxml:datastream ID="FAR" STATE="A" CONTROL_GROUP="M" VERSIONABLE="true">
          <foxml:datastreamVersion ID="FAR.0" LABEL="far" MIMETYPE="text/plain">
            <foxml:contentLocation TYPE="URL" REF="%s"/>
          </foxml:datastreamVersion>
        </foxml:datastream>
        """
            .formatted(content);
    assertThat(ingest(minimal(SLOWLY_FETCHED, datastream), SLOWLY_FETCHED)).isEqualTo(201);
  }

  /** Both PIDs are numbers above all others, and have to be written down. */
  void waitsForTheTableOfPids() throws Exception {
    try (Connection database = database("fedora");
        Statement statement = database.createStatement()) {
      database.setAutoCommit(false);
      statement.execute("LOCK TABLE pidgen IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Integer> first = ingesting(minimal(FIRST_NUMBER, ""), FIRST_NUMBER);
      awaitThreadsIn("DBPIDGenerator.setHighestID", 1);
      CompletableFuture<Integer> second = ingesting(minimal(SECOND_NUMBER, ""), SECOND_NUMBER);
      awaitThreadsIn("BasicPIDGenerator.neverGeneratePID", 2);
      delay();
      database.rollback();
      assertThat(first.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(201);
      assertThat(second.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(201);
    }
  }

  void waitsForTheTablesOfTriples() throws Exception {
    try (Connection database = database("triples");
        Statement statement = database.createStatement()) {
      List<String> tables = new ArrayList<>();
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")) {
        while (rows.next()) {
          tables.add(rows.getString(1));
        }
      }
      database.setAutoCommit(false);
      for (String table : tables) {
        statement.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
      }
      assertThat(ingest(minimal("slow:flushed", ""), "slow:flushed")).isEqualTo(201);
      CompletableFuture<Integer> flush = CompletableFuture.supplyAsync(this::flush);
      awaitThreadsIn("GenericDatabaseAdaptor.updateTriples", 1);
      CompletableFuture<Integer> next = CompletableFuture.supplyAsync(this::flush);
      awaitThreadsIn("ConcurrentTriplestoreWriter.flushBuffer", 2);
      assertThat(ingest(minimal(DURING_THE_FLUSH, ""), DURING_THE_FLUSH)).isEqualTo(201);
      delay();
      database.rollback();
      assertThat(flush.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
      assertThat(next.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(200);
    }
  }

  /** Fedora 3.5 reads the body of an ingest while it holds the lock for all ingests. */
  void waitsForASlowClientThatHoldsTheLock() throws Exception {
    byte[] foxml = minimal(SLOWLY_SENT, "");
    int half = foxml.length / 2;
    URI target = ingestRequest(SLOWLY_SENT).build().uri();
    String head =
        """
        POST %s?%s HTTP/1.1
        Host: %s
        Authorization: %s
        Content-Type: text/xml
        Content-Length: %d
        Connection: close

        """
            .formatted(
                target.getRawPath(),
                target.getRawQuery(),
                target.getAuthority(),
                authorization,
                foxml.length)
            .replace("\n", "\r\n");
    try (Socket socket = new Socket(target.getHost(), target.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      out.write(foxml, 0, half);
      out.flush();
      awaitThreadsIn("StreamUtility.pipeStream", 1);
      // A byte now and then, or Tomcat gives the client up: after 20 s, as it is installed.
      out.write(foxml, half, 1);
      out.flush();
      CompletableFuture<Integer> second =
          ingesting(minimal(AFTER_THE_SLOW_CLIENT, ""), AFTER_THE_SLOW_CLIENT);
      awaitThreadsIn("DefaultManagement.ingest", 2);
      out.write(foxml, half + 1, 1);
      out.flush();
      delay();
      out.write(foxml, half + 2, foxml.length - half - 2);
      out.flush();
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 201 ");
      assertThat(second.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(201);
    }
  }

  /** The delay itself, while a resource of Fedora is held. */
  private static void delay() {
    TestDelay.sleep(DELAY.plusMillis(500));
  }

  /** Its first answer is slow, all others are not. */
  private String slowServer(String path, String content) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    AtomicInteger requests = new AtomicInteger();
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            if (requests.getAndIncrement() == 0) {
              delay();
            }
            exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
    server.start();
    open.add(() -> server.stop(0));
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  /** Whom Fedora asks for triples, it asks for the rest too. */
  private Connection database(String name) throws Exception {
    String configuration = Files.readString(home.resolve("server/config/fedora.fcfg"));
    Matcher triples =
        Pattern.compile("value=\"(jdbc:postgresql:[^\"]*)/triples\\b([^\"]*)\"")
            .matcher(configuration);
    assertThat(triples.find()).isTrue();
    return DriverManager.getConnection(
        triples.group(1) + "/" + name + triples.group(2).replace("&amp;", "&"),
        param(configuration, "username"),
        param(configuration, "password"));
  }

  private static String param(String configuration, String name) {
    Matcher param =
        Pattern.compile("name=\"" + name + "\"[^>]*value=\"([^\"]+)\"").matcher(configuration);
    assertThat(param.find()).as(name).isTrue();
    return param.group(1);
  }

  private void awaitThreadsIn(String method, int threads) {
    Pattern thread =
        Pattern.compile(
            "(?s)\n\"[^\n]*\n(?:[ \t][^\n]*\n)*?[ \t]+at [\\w.$/@]*"
                + Pattern.quote(method)
                + "\\(");
    await().atMost(TIMEOUT).until(() -> thread.matcher(stacks()).results().count() >= threads);
  }

  private String stacks() throws Exception {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/jcmd").toString(),
                pid,
                "Thread.print")
            .redirectErrorStream(true)
            .start();
    String out = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    jcmd.waitFor();
    return out;
  }

  // ---- requests ----

  private int flush() {
    String query =
        "risearch?type=triples&lang=spo&format=N-Triples&flush=true&limit=1&query="
            + URLEncoder.encode("<info:fedora/golden:a> * *", StandardCharsets.UTF_8);
    try {
      return send("GET", query, null);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private int ingest(byte[] foxml, String object) throws Exception {
    return ingesting(foxml, object).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  private CompletableFuture<Integer> ingesting(byte[] foxml, String object) {
    return client
        .sendAsync(
            ingestRequest(object).POST(HttpRequest.BodyPublishers.ofByteArray(foxml)).build(),
            HttpResponse.BodyHandlers.discarding())
        .thenApply(HttpResponse::statusCode);
  }

  private HttpRequest.Builder ingestRequest(String object) {
    return request("objects/" + object + "?format=info:fedora/fedora-system:FOXML-1.1")
        .header("Content-Type", "text/xml");
  }

  private int send(String method, String path, String bodyOrNull)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path);
    if (bodyOrNull == null) {
      request.method(method, HttpRequest.BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", "text/xml")
          .method(method, HttpRequest.BodyPublishers.ofString(bodyOrNull));
    }
    return statusOf(request);
  }

  private int statusOf(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url.resolve(path))
        .timeout(TIMEOUT)
        .header("Authorization", authorization);
  }

  private static byte[] minimal(String object, String datastreams) {
    return """
        <?xml version="1.0" encoding="UTF-8"?>
        <foxml:digitalObject VERSION="1.1" PID="%s" xmlns:foxml="info:fedora/fedora-system:def/foxml#">
          <foxml:objectProperties>
            <foxml:property NAME="info:fedora/fedora-system:def/model#state" VALUE="Active"/>
          </foxml:objectProperties>
        %s</foxml:digitalObject>
        """
        .formatted(object, datastreams)
        .getBytes(StandardCharsets.UTF_8);
  }
}
