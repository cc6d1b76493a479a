package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.ObjectCounter;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.profiles.stack.HomeFindings;
import org.fedometer.profiles.stack.HomeScan;
import org.fedometer.profiles.stack.Provisioner;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.repair.Finding;
import org.fedometer.repair.Inconsistency;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real Fedoras are killed while they ingest, and damaged manually in every known way. Leftovers are
 * found and repaired with Fedora stopped, and complete objects stay unchanged.
 */
@Tag("faults")
class RepairIT {

  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final int CLIENTS = 4;
  private static final int DAMAGED = 9;
  private static final String NEW = "/new";

  @TempDir private Path folder;

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .cookieHandler(new CookieManager())
          .build();
  private Stack stack;
  private HttpServer served;
  private final Set<String> acknowledged = new ConcurrentSkipListSet<>();
  private final Map<String, Long> attempted = new ConcurrentSkipListMap<>();
  private final AtomicLong numbers = new AtomicLong();

  @AfterEach
  void tearDown() throws IOException {
    if (stack != null) {
      StackRegistry.ofUser().down(stack.home());
    }
    if (served != null) {
      served.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mptstore-postgresql", "mulgara-derby"})
  void repairsDamagedObjectsAndKeepsIntactOnes(String profile) throws Exception {
    Path home = folder.resolve("home");
    stack =
        Provisioner.ofUser()
            .provision(
                Fedometer.profile(profile), StackOptions.at(home), ProvisioningListener.SILENT);
    start();
    Dataset load = patents("load");
    Dataset damaged = patents("damaged");
    ingest(samples(), (int) samples().size());
    ingest(damaged, DAMAGED);
    long triples = drainedTriples();
    assertThatThrownBy(() -> HomeScan.of(stack).check(ProvisioningListener.SILENT, text -> {}))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageContaining(
            "Fedora (pid " + stack.fedoraPid().getAsLong() + ") still runs on " + home);

    killUnder(load, 15);
    HomeFindings afterKill = repairHome();

    assertThat(afterKill.isConsistent()).as("%s", afterKill.findings()).isTrue();
    assertThat(afterKill.findings())
        .as("objects that were whole on disk before the load began")
        .noneMatch(finding -> finding.pid().startsWith("kind:"))
        .noneMatch(finding -> finding.pid().startsWith("damaged:"));
    assertThat(findDamage().findings()).as("a second time").isEmpty();
    start();
    assertAcknowledgedObjectsExistAndOthersCanBeIngested(load);
    assertThat(drainedTriples()).isEqualTo(triples + triplesOf(load));

    damageTablesWhileTheDatabaseRuns(damaged);
    killUnder(load, 10);
    damageFiles(damaged);
    damageTablesOfDerby(damaged);
    assertThat(kinds(findDamage()))
        .as("whatever else the second kill has left")
        .contains(expectedDamage(damaged))
        .contains(tuple(Inconsistency.CONTENT_MISSING, pid(damaged, 5), Finding.State.UNRESOLVED));

    JsonNode report = repair(ExitCode.DONE_WITH_ERRORS, home);
    assertThat(report.at("/consistent").asBoolean()).isFalse();
    assertThat(report.at("/inconsistentObjects").asLong()).isPositive();
    assertThat(report.at("/unlistedObjects").asLong(-1)).isZero();
    assertThat(report.at("/findings"))
        .filteredOn(finding -> finding.at("/state").asText().equals("unresolved"))
        .extracting(
            finding -> finding.at("/pid").asText(),
            finding -> finding.at("/inconsistency").asText())
        .containsExactly(tuple(pid(damaged, 5), "content-missing"));
    Path copies = Path.of(report.at("/backup").asText());
    assertThat(copies.getParent()).isEqualTo(home);
    assertThat(copies.resolve("removed.nt"))
        .content()
        .contains("<info:fedora/" + pid(damaged, 0) + "> ");
    assertThat(copies.resolve("rows.sql"))
        .content()
        .contains("INSERT INTO doRegistry", "INSERT INTO doFields", "'" + pid(damaged, 0) + "'");
    assertThat(copies.resolve("files/" + home.relativize(foxml(pid(damaged, 3))))).isNotEmptyFile();

    Files.move(removedFiles(5), content(damaged, 5));
    repair(ExitCode.DONE, home);
    start();
    for (int gone : new int[] {0, 3, 8}) {
      assertThat(status(pid(damaged, gone))).isEqualTo(404);
      assertThat(post(damaged.object(gone))).isEqualTo(201);
    }
    assertAcknowledgedObjectsExistAndOthersCanBeIngested(load);
    for (int i = 0; i < DAMAGED; i++) {
      assertThatContentIsEqual(damaged.object(i));
    }
    int unowned = isDerby() ? 0 : 1;
    assertThat(drainedTriples())
        .as("those of all objects, and one that is about something else")
        .isEqualTo(triples + triplesOf(load) + unowned);
    assertThat(countedObjects("damaged")).isEqualTo(DAMAGED);
    assertThat(countedObjects("load")).isEqualTo(attempted.size());
    assertThat(countedObjects("kind")).isEqualTo(samples().size());
    enterAPredicateWithoutItsTable();
    StackRegistry.ofUser().down(home);
    if (!isDerby()) {
      assertThat(kinds(repairHome()))
          .containsExactly(
              tuple(Inconsistency.PREDICATE_WITHOUT_TABLE, "", Finding.State.REPAIRED));
    }
    HomeFindings intact = findDamage();
    assertThat(intact.findings()).isEmpty();

    Map<Long, Long> nanos =
        HomeScan.of(stack).index(List.of(10L, 1_000_000L), ProvisioningListener.SILENT, text -> {});
    assertThat(nanos)
        .containsOnlyKeys(10L)
        .allSatisfy((size, took) -> assertThat(took).isPositive());
    HomeFindings indexed = findDamage();
    assertThat(indexed.findings()).as("indexes made anew").isEmpty();
    assertThat(indexed.counts()).isEqualTo(intact.counts());
  }

  /** As MPTStore does, where it is killed before it makes the table. */
  private void enterAPredicateWithoutItsTable() throws Exception {
    if (isDerby()) {
      return;
    }
    try (Connection triples = postgresql("triples");
        Statement sql = triples.createStatement()) {
      sql.executeUpdate("INSERT INTO tMap (p) VALUES ('<http://example.org/entered>')");
    }
  }

  private Tuple[] expectedDamage(Dataset damaged) {
    List<Tuple> expected = new ArrayList<>();
    expected.add(tuple(Inconsistency.NO_OBJECT, pid(damaged, 0), Finding.State.FOUND));
    expected.add(tuple(Inconsistency.NOT_REGISTERED, pid(damaged, 1), Finding.State.FOUND));
    expected.add(tuple(Inconsistency.NOT_IN_FIELD_INDEX, pid(damaged, 2), Finding.State.FOUND));
    expected.add(tuple(Inconsistency.BROKEN_OBJECT, pid(damaged, 3), Finding.State.FOUND));
    expected.add(tuple(Inconsistency.NO_OBJECT, "damaged:orphan", Finding.State.FOUND));
    expected.add(tuple(Inconsistency.CONTENT_SURPLUS, pid(damaged, 6), Finding.State.FOUND));
    expected.add(tuple(Inconsistency.REPLACEMENT_CUT_SHORT, pid(damaged, 7), Finding.State.FOUND));
    expected.add(tuple(Inconsistency.NO_OBJECT, pid(damaged, 8), Finding.State.FOUND));
    expected.add(tuple(Inconsistency.TEMPORARY_FILE, "", Finding.State.FOUND));
    if (!isDerby()) {
      expected.add(tuple(Inconsistency.TRIPLES_DIFFER, pid(damaged, 4), Finding.State.FOUND));
      expected.add(tuple(Inconsistency.NO_OBJECT, "damaged:stated", Finding.State.FOUND));
    }
    return expected.toArray(Tuple[]::new);
  }

  private static List<Tuple> kinds(HomeFindings findings) {
    return findings.findings().stream()
        .map(finding -> tuple(finding.inconsistency(), finding.pid(), finding.state()))
        .toList();
  }

  private void damageFiles(Dataset damaged) throws Exception {
    Files.delete(foxml(pid(damaged, 0)));
    byte[] original = Files.readAllBytes(foxml(pid(damaged, 3)));
    Files.write(foxml(pid(damaged, 3)), Arrays.copyOf(original, original.length / 2));
    Path orphan = path("datastreamStore", "info:fedora/damaged:orphan/FULLTEXT/FULLTEXT.0");
    Files.createDirectories(orphan.getParent());
    Files.writeString(orphan, "content of no object");
    Files.move(content(damaged, 5), removedFiles(5));
    Path surplus =
        path("datastreamStore", "info:fedora/" + pid(damaged, 6) + "/FULLTEXT/FULLTEXT.99");
    Files.createDirectories(surplus.getParent());
    Files.writeString(surplus, "a version without an entry");
    Path newer = path("objectStore", "info:fedora/" + pid(damaged, 7) + NEW);
    Files.createDirectories(newer.getParent());
    Files.move(foxml(pid(damaged, 7)), newer);
    Files.delete(foxml(pid(damaged, 8)));
    for (String id : damaged.object(8).content().stream().map(each -> each.id()).toList()) {
      Files.delete(path("datastreamStore", contentUri(damaged.object(8), id)));
    }
    Files.writeString(
        stack.home().resolve("fedora/tomcat/temp/fedora-ingest-temp4711.xml"), "<cut short");
  }

  private void damageTables(Connection tables, Dataset damaged) throws SQLException {
    try (Statement sql = tables.createStatement()) {
      sql.executeUpdate("DELETE FROM doRegistry WHERE doPID = '" + pid(damaged, 1) + "'");
      sql.executeUpdate("DELETE FROM doFields WHERE pid = '" + pid(damaged, 2) + "'");
      sql.executeUpdate("DELETE FROM doRegistry WHERE doPID = '" + pid(damaged, 8) + "'");
      sql.executeUpdate("DELETE FROM doFields WHERE pid = '" + pid(damaged, 8) + "'");
    }
  }

  /** Where it runs beside Fedora; with MPTStore in it. */
  private void damageTablesWhileTheDatabaseRuns(Dataset damaged) throws Exception {
    if (isDerby()) {
      return;
    }
    try (Connection tables = postgresql("fedora")) {
      damageTables(tables, damaged);
    }
    try (Connection triples = postgresql("triples");
        Statement sql = triples.createStatement()) {
      int table;
      try (ResultSet rows =
          sql.executeQuery("SELECT pKey FROM tMap WHERE p LIKE '%model#state>'")) {
        rows.next();
        table = rows.getInt(1);
      }
      sql.executeUpdate(
          "DELETE FROM t%d WHERE s = '<info:fedora/%s>'".formatted(table, pid(damaged, 4)));
      sql.executeUpdate(
          "INSERT INTO t%d (s, o) VALUES ('<info:fedora/damaged:stated>', '<urn:o>')"
              .formatted(table));
      sql.executeUpdate(
          "INSERT INTO t%d (s, o) VALUES ('<http://example.org/not-fedoras>', '<urn:o>')"
              .formatted(table));
    }
  }

  private Connection postgresql(String database) throws Exception {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + stack.state().databasePort() + "/" + database,
        "fedora",
        Files.readString(stack.home().resolve("secrets/database-password")));
  }

  /** Which runs in Fedora; with Fedora's own driver, therefore, and with Fedora stopped. */
  private void damageTablesOfDerby(Dataset damaged) throws Exception {
    if (!isDerby()) {
      return;
    }
    System.setProperty("derby.stream.error.file", folder.resolve("derby.log").toString());
    Path library;
    try (Stream<Path> jars =
        Files.list(stack.home().resolve("fedora/tomcat/webapps/fedora/WEB-INF/lib"))) {
      library =
          jars.filter(jar -> jar.getFileName().toString().startsWith("derby-"))
              .findFirst()
              .orElseThrow();
    }
    try (URLClassLoader loader = new URLClassLoader(new URL[] {library.toUri().toURL()})) {
      Driver driver =
          (Driver)
              Class.forName("org.apache.derby.jdbc.EmbeddedDriver", true, loader)
                  .getConstructor()
                  .newInstance();
      Properties login = new Properties();
      login.setProperty("user", "fedora");
      login.setProperty(
          "password", Files.readString(stack.home().resolve("secrets/database-password")));
      String url = "jdbc:derby:" + stack.home().resolve("database/derby/fedora");
      try (Connection tables = driver.connect(url, login)) {
        damageTables(tables, damaged);
      }
      assertThatThrownBy(() -> driver.connect("jdbc:derby:;shutdown=true", new Properties()))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("shutdown");
    }
  }

  private boolean isDerby() {
    return stack.settings().get("database.product").equals("derby");
  }

  private Dataset patents(String namespace) {
    return Datasets.open(
        "patents:small", new DatasetOptions(namespace, PidForm.NAMED, stack.literalLimitBytes()));
  }

  /** Objects of each kind that Fedora knows. */
  private Dataset samples() throws IOException {
    Path files = folder.resolve("foxml");
    if (!Files.exists(files)) {
      served = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
      served.createContext(
          "/served",
          exchange -> {
            try (exchange) {
              exchange.sendResponseHeaders(200, 6);
              exchange.getResponseBody().write("served".getBytes(StandardCharsets.US_ASCII));
            }
          });
      served.start();
      FoxmlSamples.write(files, "http://127.0.0.1:" + served.getAddress().getPort() + "/served");
    }
    return Datasets.open(
        "foxml:" + files, new DatasetOptions("kind", PidForm.NAMED, stack.literalLimitBytes()));
  }

  private void start() throws Exception {
    stack = StackRegistry.ofUser().find(folder.resolve("home")).orElseThrow();
    stack.start(ProvisioningListener.SILENT);
  }

  private HomeFindings findDamage() throws Exception {
    return HomeScan.of(stack).check(ProvisioningListener.SILENT, text -> {});
  }

  private HomeFindings repairHome() throws Exception {
    return HomeScan.of(stack).repair(false, ProvisioningListener.SILENT, text -> {});
  }

  private JsonNode repair(int exitCode, Path home) throws Exception {
    return new Fedometer(Files.createTempDirectory(folder, "call"))
        .start("stack", "repair", "--home", home.toString(), "--json")
        .await(TIMEOUT.multipliedBy(2))
        .expect(exitCode)
        .json();
  }

  private FedoraClient client() throws IOException {
    char[] password = Files.readString(stack.passwordFile()).strip().toCharArray();
    return FedoraClient.open(
        new FedoraLogin(stack.url(), stack.user(), password), FedoraClientOptions.forWorkers(2));
  }

  private void ingest(Dataset dataset, int objects) throws Exception {
    try (FedoraClient client = client()) {
      long ingested =
          new IngestDriver(
                  client,
                  dataset,
                  IngestOptions.of(objects, 2),
                  RequestSink.NONE,
                  RequestListener.NONE)
              .run()
              .count(Count.INGESTED);
      assertThat(ingested).isEqualTo(objects);
    }
  }

  private long drainedTriples() throws IOException {
    try (FedoraClient client = client()) {
      return new TripleCounter(client.newSession()).drain(TIMEOUT);
    }
  }

  private long countedObjects(String namespace) throws IOException {
    try (FedoraClient client = client()) {
      return new ObjectCounter(client.newSession()).count(namespace, counted -> {});
    }
  }

  /** Counts the triples of all objects of the load, each of which exists by now. */
  private long triplesOf(Dataset load) {
    long triples = 0;
    for (long number : attempted.values()) {
      triples += load.object(number).triples();
    }
    return triples;
  }

  /** Fedora dies while clients ingest, some time after so many objects were acknowledged. */
  private void killUnder(Dataset load, int objects) throws Exception {
    ProcessHandle fedora = ProcessHandle.of(stack.fedoraPid().getAsLong()).orElseThrow();
    int before = acknowledged.size();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Thread client = new Thread(() -> ingestUntilFedoraDies(load), "client-" + i);
      client.start();
      clients.add(client);
    }
    await().atMost(TIMEOUT).until(() -> acknowledged.size() >= before + objects);
    fedora.destroyForcibly();
    for (Thread client : clients) {
      client.join(TIMEOUT.toMillis());
      assertThat(client.isAlive()).isFalse();
    }
    assertThat(fedora.onExit().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
  }

  private void ingestUntilFedoraDies(Dataset load) {
    while (true) {
      long number = numbers.getAndIncrement();
      RepositoryObject object = load.object(number);
      attempted.put(object.pid(), number);
      try {
        if (post(object) == 201) {
          acknowledged.add(object.pid());
        }
      } catch (IOException e) {
        return;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void assertAcknowledgedObjectsExistAndOthersCanBeIngested(Dataset load) throws Exception {
    for (long number : attempted.values()) {
      RepositoryObject object = load.object(number);
      String pid = object.pid();
      if (acknowledged.contains(pid) || status(pid) == 200) {
        assertThatContentIsEqual(object);
      } else {
        assertThat(post(object)).as(pid).isEqualTo(201);
      }
      acknowledged.add(pid);
    }
  }

  private void assertThatContentIsEqual(RepositoryObject object) throws Exception {
    for (var content : object.content()) {
      HttpResponse<byte[]> response =
          http.send(
              request("/objects/" + object.pid() + "/datastreams/" + content.id() + "/content")
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertThat(response.statusCode()).as("%s of %s", content.id(), object.pid()).isEqualTo(200);
      try (var expected = content.open()) {
        assertThat(response.body())
            .as("%s of %s", content.id(), object.pid())
            .isEqualTo(expected.readAllBytes());
      }
    }
  }

  private int status(String pid) throws Exception {
    return http.send(
            request("/objects/" + pid + "?format=xml").build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private int post(RepositoryObject object) throws Exception {
    ByteArrayOutputStream foxml = new ByteArrayOutputStream();
    object.writeFoxml(foxml);
    return http.send(
            request("/objects/" + object.pid() + "?format=info:fedora/fedora-system:FOXML-1.1")
                .header("Content-Type", "text/xml")
                .POST(HttpRequest.BodyPublishers.ofByteArray(foxml.toByteArray()))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private HttpRequest.Builder request(String path) throws IOException {
    String login = stack.user() + ":" + Files.readString(stack.passwordFile()).strip();
    return HttpRequest.newBuilder(URI.create(stack.url() + path))
        .timeout(TIMEOUT)
        .header(
            "Authorization",
            "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
  }

  private static String pid(Dataset dataset, int number) {
    return dataset.object(number).pid();
  }

  private Path foxml(String pid) throws Exception {
    return path("objectStore", "info:fedora/" + pid);
  }

  private Path content(Dataset dataset, int number) throws Exception {
    RepositoryObject object = dataset.object(number);
    return path("datastreamStore", contentUri(object, object.content().get(0).id()));
  }

  private static String contentUri(RepositoryObject object, String datastream) {
    return "info:fedora/%s/%s/%s.0".formatted(object.pid(), datastream, datastream);
  }

  private Path removedFiles(int number) {
    return folder.resolve("aside-" + number);
  }

  /** Where Akubra has the file of a URI, by Fedora's default pattern {@code ##}. */
  private Path path(String store, String uri) throws Exception {
    String hash =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("MD5").digest(uri.getBytes(StandardCharsets.UTF_8)));
    return stack
        .home()
        .resolve("fedora/data")
        .resolve(store)
        .resolve(hash.substring(0, 2))
        .resolve(uri.replace(":", "%3A").replace("/", "%2F").replace("_", "%5F"));
  }
}
