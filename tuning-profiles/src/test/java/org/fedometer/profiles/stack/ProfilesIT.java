package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.verify.Verification;
import org.fedometer.driver.verify.Verifier;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.database.DatabaseAccess;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.java.InstalledJava;
import org.fedometer.profiles.stack.java.JavaHomes;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.Processes;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.XmlFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/**
 * Profiles as real stacks. Each starts, applies its settings, stores objects and their triples, and
 * leaves nothing after deletion. With {@code -Pall-profiles} these are all profiles that this
 * machine supports.
 */
@Tag("fedora")
class ProfilesIT {

  private static final int OBJECTS = 120;
  private static final int WORKERS = 3;
  private static final Duration DELAY = Duration.ofMillis(1);
  private static final boolean ALL = Boolean.getBoolean("fedometer.allProfiles");

  private final StackRegistry registry = StackRegistry.ofUser();
  private final FedoraRequests requests = new FedoraRequests();

  @TempDir private Path folder;
  private Path home;
  private Stack stack;
  private StandaloneDatabase elsewhere;

  static List<ProfileCase> cases() throws Exception {
    return ALL ? ProfileCase.all() : ProfileCase.PAIRWISE;
  }

  @BeforeEach
  void chooseAHome() {
    home = folder.resolve("home");
  }

  @AfterEach
  void takeDown() throws Exception {
    Optional<Stack> left = registry.find(home);
    if (left.isPresent()) {
      left.get().delete();
    }
    if (elsewhere != null) {
      elsewhere.close();
    }
    assertThat(Processes.naming(folder)).isEmpty();
    assertThat(home).doesNotExist();
    if (Files.exists(walDisk())) {
      assertThat(walDisk()).isEmptyDirectory();
    }
  }

  private Path walDisk() {
    return folder.resolve("wal-disk");
  }

  // A stack that starts waits more than it works.
  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void aStackKeepsWhatItIsGivenUnderItsSettings(ProfileCase each) throws Exception {
    Profile profile = each.profile(changesOf(each));
    long startedNanos = System.nanoTime();
    start(profile);
    long upNanos = System.nanoTime();

    theJvmIsTheProfiles(profile);
    checkFedoraConfiguration(profile);
    checkDatabase(profile);
    ingestsObjects(profile);
    checkStorageFolders(profile);
    if (!each.database().equals("derby")) {
      assertThat(elements(only(walDisk())))
          .anyMatch(file -> file.matches("[0-9A-F]{24}|ib_logfile0"));
    }
    if (profile.text("triplestore.store").equals("mptstore")) {
      theLongestLiteralIsTheProfiles(profile);
    }
    if (each.isFirstOfItsProducts(cases())) {
      aStopKeepsAcknowledgedObjects();
    }
    System.out.printf(
        "%-80s up %d s, tried %d s%n",
        each,
        TimeUnit.NANOSECONDS.toSeconds(upNanos - startedNanos),
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - upNanos));
  }

  /** So that what is in force is not what would be anyway. */
  private String[] changesOf(ProfileCase each) throws IOException {
    List<String> changes = new ArrayList<>();
    if (!each.database().equals("derby")) {
      changes.add("database.walFolder=" + Files.createDirectory(walDisk()));
    }
    switch (each.database()) {
      case "postgresql" -> changes.add("database.synchronous_commit=off");
      case "mysql", "mariadb" -> changes.add("database.innodb_flush_log_at_trx_commit=2");
      default -> changes.add("database.testOnReturn=false");
    }
    switch (each.triplestore()) {
      case "mptstore" -> changes.add("triplestore.autoFlushBufferSize=1500");
      case "mulgara" -> changes.add("triplestore.autoFlushBufferSize=21000");
      default -> changes.add("connector.maxThreads=60");
    }
    return changes.toArray(String[]::new);
  }

  @Test
  void aDatabaseOnAnotherHostIsUsedThroughItsNetwork() throws Exception {
    ProfileCase each =
        new ProfileCase("mptstore", "postgresql", "17", "g1", "3.8.1", "akubra-fs", "nio", "false");
    elsewhere =
        StandaloneDatabase.start(
            folder.resolve("elsewhere"), each.profile("database.max_connections=120"));
    try (DelayingProxy network = DelayingProxy.before(elsewhere.port(), DELAY)) {
      Profile profile =
          each.profile(
              "database=postgresql-external",
              "database.url=" + elsewhere.url("fedora", network.port()),
              "database.triplesUrl=" + elsewhere.url("triples", network.port()),
              "database.passwordFile=" + elsewhere.passwordFile());
      start(profile);

      assertThat(stack.databasePid()).as("a server of its own").isEmpty();
      assertThat(stack.state().versions()).containsEntry("database", elsewhere.version());
      assertThat(network.connections()).as("Fedora's pools go through it").isGreaterThan(2);
      long before = network.packets();
      ingestsObjects(profile);
      // The database receives data for each object, and answers.
      assertThat(network.packets() - before).isGreaterThan(2L * OBJECTS);
      assertThat(network.shortestDelay()).isGreaterThanOrEqualTo(DELAY);
      delaysBothDirections(network);
      assertThat(elsewhere.ask("fedora", "SELECT count(*) FROM doregistry"))
          .allMatch(count -> Integer.parseInt(count) >= OBJECTS);
      assertThat(elsewhere.ask("triples", "SELECT count(*) FROM tmap"))
          .allMatch(count -> Integer.parseInt(count) > 10);
      thePasswordIsNowhere(elsewhere.password());
      stack.delete();
      assertThat(elsewhere.process().isAlive()).as("the other database continues").isTrue();
    }
  }

  private void delaysBothDirections(DelayingProxy network) throws Exception {
    long startedNanos = System.nanoTime();
    StandaloneDatabase.ask(
        elsewhere.url("fedora", network.port()),
        DatabaseAccess.USER,
        elsewhere.password(),
        "SELECT 1");
    assertThat(Duration.ofNanos(System.nanoTime() - startedNanos))
        .isGreaterThanOrEqualTo(DELAY.multipliedBy(2));
  }

  @Test
  void reportsTheTriplesLostAtAStop() throws Exception {
    ProfileCase each =
        new ProfileCase("mptstore", "postgresql", "17", "g1", "3.8.1", "akubra-fs", "bio", "false");
    start(each.profile("triplestore.autoFlushDormantSeconds=3600"));
    assertThat(requests.ingest(stack, "test:a", "d")).isEqualTo(201);
    LinuxProcess database =
        LinuxProcess.of("PostgreSQL", stack.databasePid().getAsLong()).orElseThrow();
    database.signal("KILL");
    assertThat(database.awaitEnd(Duration.ofSeconds(30))).isTrue();

    assertThatExceptionOfType(LostTriplesException.class)
        .isThrownBy(stack::stop)
        .withMessageMatching(
            "Fedora lost up to [0-9,]+ triples? at shutdown although it had acknowledged"
                + " them \\(.+\\); 'fedometer verify --home .+")
        .satisfies(e -> assertThat(e.ended()).anyMatch(process -> process.startsWith("Fedora")));
    assertThat(stack.running()).isEmpty();
  }

  /** Servers of the stack's own have their folders in DatabaseServerIT; Derby needs a Fedora. */
  @Test
  void usesTheConfiguredWalAndDataFolders() throws Exception {
    Path dataDisk = Files.createDirectory(folder.resolve("data-disk"));
    Path walDisk = Files.createDirectory(walDisk());
    ProfileCase each =
        new ProfileCase("none", "derby", "17", "serial", "3.8.1", "akubra-fs", "bio", "false");
    Profile profile =
        each.profile("database.dataFolder=" + dataDisk, "database.walFolder=" + walDisk);
    start(profile);

    checkFedoraConfiguration(profile);
    ingestsObjects(profile);
    Path data = only(dataDisk);
    Path wal = only(walDisk);
    assertThat(data.resolve("fedora/service.properties")).exists();
    assertThat(elements(wal.resolve("fedora/log"))).contains("log.ctrl");
    assertThat(data.resolve("fedora/log")).doesNotExist();
    assertThat(home.resolve("database/derby")).doesNotExist();
    for (Path own : List.of(data, wal)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
          .isEqualTo("rwx------");
    }

    stack.delete();
    assertThat(dataDisk).isEmptyDirectory();
    assertThat(walDisk).isEmptyDirectory();
  }

  // ---- what is done ----

  private void aStopKeepsAcknowledgedObjects() throws Exception {
    Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    List<Thread> writers = new ArrayList<>();
    AtomicBoolean stopped = new AtomicBoolean();
    for (int i = 0; i < WORKERS; i++) {
      String prefix = "stop:" + i + "-";
      Thread writer =
          new Thread(
              () -> {
                for (int n = 0; !stopped.get(); n++) {
                  if (requests.ingestOnNewConnection(stack, prefix + n)) {
                    acknowledged.add(prefix + n);
                  }
                }
              });
      writer.start();
      writers.add(writer);
    }
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> acknowledged.size() > WORKERS);

    stack.stop();
    stopped.set(true);
    for (Thread writer : writers) {
      writer.join();
    }

    assertThat(
            HomeScan.of(registry.find(home).orElseThrow())
                .only(acknowledged)
                .check(ProvisioningListener.SILENT, progress -> {})
                .findings())
        .isEmpty();
  }

  private void start(Profile profile) throws Exception {
    try {
      JavaHomes.ofMachine().forProfile(profile);
    } catch (ProvisioningException e) {
      if (!ALL && "1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
        fail(e.getMessage());
      }
      abort("SKIPPED: " + e.getMessage());
    }
    stack =
        Provisioner.ofUser().provision(profile, StackOptions.at(home), ProvisioningListener.SILENT);
    stack.start(ProvisioningListener.SILENT);
  }

  private void ingestsObjects(Profile profile) throws IOException {
    Dataset dataset =
        Datasets.open(
            "patents:small",
            new DatasetOptions(
                "profiles",
                PidForm.named(profile.text("fedora.pids")),
                profile.literalLimitBytes()));
    FedoraLogin login =
        new FedoraLogin(
            stack.url(), stack.user(), Files.readString(stack.passwordFile()).toCharArray());
    try (FedoraClient client = FedoraClient.open(login, FedoraClientOptions.forWorkers(WORKERS))) {
      Verifier.Options options =
          new Verifier.Options(30, 1, 2, Duration.ofMinutes(2), profile.hasTriplestore());
      Verifier verifier = new Verifier(client, dataset, options, ContentDelivery.inRequest());
      Verifier.Before before = verifier.before();
      IngestResult ingest =
          new IngestDriver(
                  client,
                  dataset,
                  IngestOptions.of(OBJECTS, WORKERS),
                  RequestSink.NONE,
                  RequestListener.NONE)
              .run();
      assertThat(ingest.failures().givenUp()).isEmpty();
      assertThat(ingest.count(Count.INGESTED)).isEqualTo(OBJECTS);

      Verification found = verifier.verify(ingest, before);

      assertThat(found.problems()).isEmpty();
      assertThat(found.objectsCounted()).isEqualTo(OBJECTS);
      assertThat(found.equalObjects()).isEqualTo(30);
      if (profile.hasTriplestore()) {
        assertThat(found.triplesCounted()).isGreaterThan(31L * OBJECTS);
      }
    }
  }

  // ---- what is in force ----

  private void theJvmIsTheProfiles(Profile profile) throws Exception {
    List<String> command = Processes.commandLine(stack.fedoraPid().orElseThrow());
    InstalledJava java = JavaHomes.ofMachine().forProfile(profile);
    assertThat(java.feature()).isEqualTo(profile.javaVersion());
    assertThat(command.get(0)).isEqualTo(java.home().resolve("bin/java").toString());
    assertThat(command)
        .containsAll(profile.list("gc.arguments"))
        .contains("-Xms640m", "-Xmx640m", "-XX:+DisableExplicitGC");
    assertThat(stack.state().versions()).containsEntry("java", java.version());
  }

  private void checkFedoraConfiguration(Profile profile) throws Exception {
    XmlFile fcfg =
        XmlFile.read(new StackFolders(home).fedoraConfiguration().resolve("fedora.fcfg"));
    Element index = named(fcfg, "role", "org.fcrepo.server.resourceIndex.ResourceIndex");
    if (profile.hasTriplestore()) {
      Element triplestore = named(fcfg, "id", XmlFile.param(index, "datastore").orElseThrow());
      assertThat(XmlFile.param(triplestore, "connectorClassName"))
          .contains(profile.text("triplestore.connectorClassName"));
      assertThat(XmlFile.param(triplestore, "autoFlushBufferSize"))
          .contains(profile.text("triplestore.autoFlushBufferSize"));
    } else {
      assertThat(XmlFile.param(index, "level")).contains("0");
    }
    Element authorization = named(fcfg, "role", "org.fcrepo.server.security.Authorization");
    assertThat(XmlFile.param(authorization, "ENFORCE-MODE"))
        .contains(
            profile.text("fedora.xacml").equals("true")
                ? "enforce-policies"
                : "permit-all-requests");
    theConnectorIs(profile.text("connector.protocol").contains("Nio") ? "nio" : "bio");
  }

  /**
   * Checks the connector in Tomcat's message after the port opens: 7 gives its name, 6 its class.
   */
  private void theConnectorIs(String connector) throws IOException {
    int port = stack.url().getPort();
    String said =
        stack.state().versions().get("tomcat").startsWith("6.")
            ? "(?s).*\\.Http11%sProtocol start\\R[^\n]* on http-127\\.0\\.0\\.1-%d\\R.*"
                .formatted(connector.equals("nio") ? "Nio" : "", port)
            : "(?s).*\\[\"http-%s-127\\.0\\.0\\.1-%d\"].*".formatted(connector, port);
    assertThat(Files.readString(new StackFolders(home).consoleLog())).matches(said);
  }

  private static Element named(XmlFile file, String attribute, String value) throws IOException {
    return file.only(
        attribute.equals("id") ? "datastore" : "module",
        value,
        element -> value.equals(element.getAttribute(attribute)));
  }

  private void checkDatabase(Profile profile) throws Exception {
    switch (profile.text("database.product")) {
      case "postgresql" -> assertThat(ask("SHOW synchronous_commit")).containsExactly("off");
      case "derby" -> assertThat(home.resolve("database/derby/fedora/service.properties")).exists();
      default -> {
        assertThat(ask("SELECT @@innodb_flush_log_at_trx_commit")).containsExactly("2");
        assertThat(ask("SELECT @@innodb_flush_method")).containsExactly("fsync");
      }
    }
    assertThat(stack.state().versions().get("database"))
        .startsWithIgnoringCase(profile.text("database.product"));
  }

  private void checkStorageFolders(Profile profile) throws Exception {
    boolean legacy = profile.text("lowlevel.store").equals("legacy-fs");
    if (profile.text("database.product").equals("derby")) {
      // Only Fedora can query it.
      assertThat(Files.isDirectory(home.resolve("database/derby/triples")))
          .isEqualTo(profile.text("triplestore.store").equals("mptstore"));
      return;
    }
    assertThat(ask("SELECT count(*) FROM doRegistry"))
        .allMatch(count -> Integer.parseInt(count) >= OBJECTS);
    // The legacy store keeps its paths in the database; Fedora 3.5 makes the table for Akubra, too.
    boolean tableIsThere =
        !ask("SELECT table_name FROM information_schema.tables"
                + " WHERE lower(table_name) = 'objectpaths'")
            .isEmpty();
    List<String> paths = tableIsThere ? ask("SELECT count(*) FROM objectPaths") : List.of("0");
    assertThat(paths)
        .hasSize(1)
        .allMatch(count -> legacy ? Integer.parseInt(count) >= OBJECTS : count.equals("0"));
    if (profile.text("triplestore.store").equals("mptstore")) {
      assertThat(askTriples("SELECT count(*) FROM tMap"))
          .allMatch(predicates -> Integer.parseInt(predicates) > 10);
    }
  }

  /** Fedora also answers 201 to a longer one. */
  private void theLongestLiteralIsTheProfiles(Profile profile) throws Exception {
    String longest = FedoraRequests.incompressible(profile.literalLimitBytes());
    String tooLong = FedoraRequests.incompressible(profile.literalLimitBytes() + 1);

    assertThat(requests.ingest(stack, "test:longest", longest)).isEqualTo(201);
    assertThat(requests.triples(stack, "test:longest"))
        .anyMatch(triple -> triple.contains('"' + longest + '"'));
    assertThat(requests.ingest(stack, "test:too-long", tooLong)).isEqualTo(201);
    // The flush fails at the question, unless it was faster.
    requests.query(stack, "test:too-long");
    assertThat(requests.triples(stack, "test:too-long"))
        .noneMatch(triple -> triple.contains(tooLong.substring(0, 200)));
  }

  private List<String> ask(String sql) throws Exception {
    return ask(access().fedoraUrl(), sql);
  }

  private List<String> askTriples(String sql) throws Exception {
    return ask(access().triplesUrl(), sql);
  }

  private List<String> ask(String url, String sql) throws Exception {
    return StandaloneDatabase.ask(url, access().user(), access().password(), sql);
  }

  private DatabaseAccess access() throws IOException {
    StackFolders folders = new StackFolders(home);
    return DatabaseAccess.of(
        folders, StackDocument.read(folders.document()).orElseThrow(), Secrets.read(folders));
  }

  private void thePasswordIsNowhere(String password) throws IOException {
    List<String> places = new ArrayList<>(stack.state().command());
    places.addAll(Processes.commandLine(stack.fedoraPid().orElseThrow()));
    for (Path log : stack.logs().values()) {
      places.add(Files.readString(log));
    }
    for (Map.Entry<String, Path> file : stack.state().configurationFiles().entrySet()) {
      places.add(stack.state().masked(file.getValue()));
    }
    assertThat(places).hasSizeGreaterThan(10).noneMatch(place -> place.contains(password));
  }

  private static Path only(Path disk) throws IOException {
    assertThat(elements(disk)).hasSize(1);
    return disk.resolve(elements(disk).get(0));
  }

  private static List<String> elements(Path parent) throws IOException {
    try (var files = Files.list(parent)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
