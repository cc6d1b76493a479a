package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.catalogue.Datasets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run in a real Fedora is whole by {@code verify} until something in it is broken, in each of the
 * places where Fedora keeps objects; then each damage is found and named.
 */
@Tag("fedora")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class VerifyIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);
  private static final int OBJECTS = 100;
  private static final String RUN = "whole";

  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper mapper = new ObjectMapper();
  private final Dataset dataset =
      Datasets.open("patents:small", new DatasetOptions("patent", PidForm.NAMED, 2692));
  private Path folder;
  private Fedometer fedometer;
  private Path home;
  private String url;

  @BeforeAll
  void loadAFedora(@TempDir Path own) throws Exception {
    folder = own;
    fedometer = new Fedometer(folder);
    home = folder.resolve("home");
    fedometer
        .startWithStore(
            "stack",
            "up",
            "--profile",
            "mptstore-postgresql",
            "--set",
            Fedometer.QUICK_COMPILER,
            "--home",
            home.toString(),
            "--no-agent")
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    url =
        fedometer.start("stack", "list", "--json").await(TIMEOUT).json().get(0).get("url").asText();
    startIngest(RUN, "patent", OBJECTS).await(TIMEOUT).expect(ExitCode.DONE);
  }

  @AfterAll
  void tearDown() throws Exception {
    fedometer.start("stack", "down", "--home", home.toString(), "--delete").await(TIMEOUT);
  }

  private Fedometer.Call startIngest(String name, String namespace, long objects) throws Exception {
    return fedometer.startWithStore(
        "ingest",
        "--target",
        url,
        "--password-file",
        password().toString(),
        "--dataset",
        "patents:small",
        "--namespace",
        namespace,
        "--max-literal",
        "2692",
        "--objects",
        Long.toString(objects),
        "--verify",
        "none",
        "--name",
        name);
  }

  private Path password() {
    return home.resolve("secrets/admin-password");
  }

  @Test
  @Order(1)
  void findsNoProblemInAnUntouchedRun() throws Exception {
    JsonNode found = verify(ExitCode.DONE, RUN, "--all");

    assertThat(found.at("/ok").asBoolean()).isTrue();
    assertThat(found.at("/compared").asInt()).isEqualTo(OBJECTS);
    assertThat(found.at("/equal").asInt()).isEqualTo(OBJECTS);
    assertThat(found.at("/objectsFound").asInt()).isEqualTo(OBJECTS);
    assertThat(found.at("/triplesFound").asLong())
        .isPositive()
        .isEqualTo(found.at("/triplesExpected").asLong());
    assertThat(found.at("/bytes").asLong()).isGreaterThan(OBJECTS * 2000);
  }

  @Test
  @Order(2)
  void rejectsARunThatIsLoading() throws Exception {
    Fedometer.Call load = startIngest("goes-on", "goes-on", 100_000);
    await()
        .atMost(TIMEOUT)
        .failFast("the driver ended", () -> !load.process().isAlive())
        .until(
            () ->
                fedometer
                    .startWithStore("load", "status", "goes-on", "--json")
                    .await(TIMEOUT)
                    .out()
                    .replaceAll("(?s).*\"ingested\" *: *([0-9]+).*", "$1")
                    .matches("[0-9]{2,}"));
    Fedometer.Call tooEarly =
        fedometer.startWithStore("verify", "goes-on").await(TIMEOUT).expect(ExitCode.BAD_USAGE);
    assertThat(tooEarly.err()).contains("'fedometer load pause goes-on' first");

    fedometer.start("load", "pause", "goes-on").await(TIMEOUT).expect(ExitCode.DONE);
    JsonNode found = verify(ExitCode.DONE, "goes-on", "--all");
    fedometer.start("load", "stop", "goes-on").await(TIMEOUT).expect(ExitCode.DONE);
    load.await(TIMEOUT).expect(ExitCode.INTERRUPTED);

    assertThat(found.at("/compared").asInt()).isGreaterThanOrEqualTo(10);
    JsonNode afterwards = verify(ExitCode.DONE, "goes-on", "--sample-size", "20");
    assertThat(afterwards.at("/ok").asBoolean()).isTrue();
    assertThat(afterwards.at("/objectsFound").asInt())
        .isGreaterThanOrEqualTo(found.at("/compared").asInt());
  }

  @Test
  @Order(3)
  void reportsRunsThatCannotBeVerified() throws Exception {
    assertThat(refused(ExitCode.BAD_USAGE, "none-such")).contains("none-such", RUN);
    assertThat(refused(ExitCode.BAD_USAGE, RUN, "--all", "--sample-size", "3"))
        .contains("either --sample-size or --all");
    Path wrong = Files.writeString(folder.resolve("wrong-password"), "wrong");
    assertThat(refused(ExitCode.COULD_NOT_START, RUN, "--password-file", wrong.toString()))
        .contains("refuses the login of fedoraAdmin");
    assertThat(
            refused(
                ExitCode.COULD_NOT_START,
                RUN,
                "--target",
                "http://127.0.0.1:1/fedora",
                "--password-file",
                wrong.toString()))
        .contains("No connection to http://127.0.0.1:1/fedora");
    Path runs = fedometer.store().resolve("runs");
    Files.createDirectories(runs.resolve("watch/segments"));
    assertThat(refused(ExitCode.BAD_USAGE, "watch")).contains("it is a monitoring run");
    ObjectNode document =
        (ObjectNode) mapper.readTree(runs.resolve(RUN).resolve("run.json").toFile());
    write(runs.resolve("running"), document.deepCopy().put("state", "running"));
    assertThat(refused(ExitCode.BAD_USAGE, "running")).contains("recorded as running");
    ObjectNode older = document.deepCopy();
    ((ObjectNode) older.at("/dataset/parameters")).put("textPoolSha256", "0123");
    write(runs.resolve("older"), older);
    assertThat(refused(ExitCode.BAD_USAGE, "older"))
        .contains("the dataset patents has changed since the run: textPoolSha256 was 0123");
  }

  private void write(Path run, ObjectNode document) throws Exception {
    Files.createDirectories(run);
    mapper.writeValue(run.resolve("run.json").toFile(), document);
  }

  private String refused(int exitCode, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("verify"));
    all.addAll(List.of(arguments));
    Fedometer.Call call =
        fedometer.startWithStore(all.toArray(String[]::new)).await(TIMEOUT).expect(exitCode);
    assertThat(call.err()).doesNotContain("unexpected");
    return call.err();
  }

  @Test
  @Order(4)
  void eachDamageIsFoundAndNamed() throws Exception {
    assertThat(send("DELETE", "/objects/" + pid(3), "")).isEqualTo(200);
    assertThat(
            send(
                "PUT",
                "/objects/" + pid(5) + "/datastreams/FULLTEXT?mimeType=text/xml",
                "<other/>"))
        .isEqualTo(200);
    damageTables();
    Files.delete(content(11));

    Path pids = folder.resolve("pids");
    JsonNode found =
        verify(ExitCode.DONE_WITH_ERRORS, RUN, "--all", "--output-pids", pids.toString());

    assertThat(found.at("/listed"))
        .extracting(each -> each.at("/kind").asText(), each -> each.at("/pid").asText())
        .contains(
            tuple("missing", pid(3)),
            tuple("differs", pid(5)),
            tuple("triples", pid(7)),
            tuple("not-in-field-index", pid(9)),
            tuple("triplestore-orphan", "patent:stated"));
    assertThat(found.at("/listed"))
        .extracting(each -> each.at("/text").asText())
        .anyMatch(text -> text.startsWith(pid(5) + "/FULLTEXT holds 8 bytes with SHA-256"))
        .anyMatch(text -> text.startsWith(pid(11)) && text.contains("FULLTEXT"));
    assertThat(Files.readAllLines(pids))
        .containsExactlyInAnyOrder(pid(3), pid(5), pid(7), pid(9), pid(11), "patent:stated");

    assertThat(verify(ExitCode.DONE_WITH_ERRORS, RUN, "--sample-size", "0").at("/listed"))
        .as("without a sample")
        .extracting(each -> each.at("/kind").asText(), each -> each.at("/pid").asText())
        .contains(tuple("missing", pid(3)), tuple("not-in-field-index", pid(9)));
  }

  @Test
  @Order(5)
  void aRowOfTheFieldIndexWithoutAnObjectIsNamed() throws Exception {
    try (Connection tables = postgresql("fedora");
        Statement sql = tables.createStatement()) {
      sql.executeUpdate(
          "INSERT INTO doFields (pid, label, cDate, mDate) VALUES ('patent:ghost', 'g', 1, 1)");
    }

    assertThat(verify(ExitCode.DONE_WITH_ERRORS, RUN, "--sample-size", "5").at("/listed"))
        .extracting(each -> each.at("/kind").asText(), each -> each.at("/pid").asText())
        .contains(tuple("field-index-orphan", "patent:ghost"));
  }

  @Test
  @Order(6)
  void aStoppedFedorasFilesTablesAndTriplesAreComparedWithEachOther() throws Exception {
    fedometer
        .start("stack", "down", "--home", home.toString())
        .await(TIMEOUT)
        .expect(ExitCode.DONE);

    JsonNode found = verify(ExitCode.DONE_WITH_ERRORS, RUN, "--home", home.toString());

    assertThat(found.at("/listed"))
        .extracting(each -> each.at("/kind").asText(), each -> each.at("/pid").asText())
        .contains(
            tuple("triples-differ", pid(7)),
            tuple("not-in-field-index", pid(9)),
            tuple("content-missing", pid(11)),
            tuple("no-object", "patent:stated"),
            tuple("no-object", "patent:ghost"));
    assertThat(refused(ExitCode.COULD_NOT_START, RUN, "--password-file", password().toString()))
        .contains("No connection to " + url);
  }

  private void damageTables() throws Exception {
    try (Connection tables = postgresql("fedora");
        Statement sql = tables.createStatement()) {
      assertThat(sql.executeUpdate("DELETE FROM doFields WHERE pid = '" + pid(9) + "'"))
          .isEqualTo(1);
    }
    try (Connection triples = postgresql("triples");
        Statement sql = triples.createStatement()) {
      int table;
      try (ResultSet rows =
          sql.executeQuery("SELECT pKey FROM tMap WHERE p LIKE '%model#state>'")) {
        rows.next();
        table = rows.getInt(1);
      }
      assertThat(
              sql.executeUpdate(
                  "DELETE FROM t%d WHERE s = '<info:fedora/%s>'".formatted(table, pid(7))))
          .isEqualTo(1);
      sql.executeUpdate(
          "INSERT INTO t%d (s, o) VALUES ('<info:fedora/patent:stated>', '<urn:o>')"
              .formatted(table));
    }
  }

  private Connection postgresql(String database) throws Exception {
    JsonNode session =
        mapper.readTree(home.resolve("stack.json").toFile()).findValue("databasePort");
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + session.asInt() + "/" + database,
        "fedora",
        Files.readString(home.resolve("secrets/database-password")));
  }

  private int send(String method, String path, String body) throws Exception {
    String login = "fedoraAdmin:" + Files.readString(password()).strip();
    return http.send(
            HttpRequest.newBuilder(URI.create(url + path))
                .timeout(TIMEOUT)
                .header("Content-Type", "text/xml")
                .header(
                    "Authorization",
                    "Basic "
                        + Base64.getEncoder()
                            .encodeToString(login.getBytes(StandardCharsets.UTF_8)))
                .method(
                    method,
                    body.isEmpty()
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private JsonNode verify(int exitCode, String run, String... more) throws Exception {
    List<String> all = new ArrayList<>(List.of("verify", run, "--json"));
    all.addAll(List.of(more));
    return fedometer
        .startWithStore(all.toArray(String[]::new))
        .await(TIMEOUT)
        .expect(exitCode)
        .json();
  }

  private String pid(int number) {
    return dataset.object(number).pid();
  }

  /** Where Akubra has the file of an object's full text, by Fedora's default pattern {@code ##}. */
  private Path content(int number) throws Exception {
    String uri = "info:fedora/" + pid(number) + "/FULLTEXT/FULLTEXT.0";
    String hash =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("MD5").digest(uri.getBytes(StandardCharsets.UTF_8)));
    return home.resolve("fedora/data/datastreamStore")
        .resolve(hash.substring(0, 2))
        .resolve(uri.replace(":", "%3A").replace("/", "%2F").replace("_", "%5F"));
  }
}
