package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.fedometer.driver.FedoraClient;
import org.fedometer.driver.FedoraClientOptions;
import org.fedometer.driver.FedoraLogin;
import org.fedometer.driver.FedoraSession;
import org.fedometer.driver.TripleCounter;
import org.fedometer.driver.journal.Journal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ingest whose driver, or whose Fedora, is killed at some moment: resumed, and repaired where it
 * has to be, it ends with every object there, once and whole. {@code -Dfedometer.kills=10} kills
 * ten times each.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int KILLS = Integer.getInteger("fedometer.kills", 2);
  private static final long OBJECTS = 150;

  private final Random random = new Random(20261122);
  private Path folder;
  private Fedometer fedometer;
  private Path home;
  private int port;

  @BeforeAll
  void bringUp(@TempDir Path own) throws Exception {
    folder = own;
    fedometer = new Fedometer(folder);
    home = folder.resolve("home");
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    up("--profile", "mptstore-postgresql", "--set", Fedometer.QUICK_COMPILER);
  }

  @AfterAll
  void takeDown() throws Exception {
    fedometer.start("down", "--home", home.toString(), "--delete").await(PATIENCE);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
  }

  @Test
  void aDriverThatIsKilledIsResumedAndNothingIsLostOrDoubled() throws Exception {
    JsonNode report = null;
    for (int kill = 0; kill < KILLS; kill++) {
      String name = "driver-" + kill;
      Fedometer.Call driver = startIngest(name);
      awaitBegun(driver, name);

      driver.process().destroyForcibly().waitFor();

      report = resume(name).expect(ExitCode.DONE).json();
      Reports.assertWhole(report, OBJECTS);
      assertThat(report.at("/outages").size()).as("the driver was not there").isPositive();
    }

    JsonNode again = resume("driver-" + (KILLS - 1)).expect(ExitCode.DONE).json();
    Reports.assertWhole(again, OBJECTS);
    assertThat(again.at("/outages").size()).isEqualTo(report.at("/outages").size());
    assertThat(secondsOfLoad(again))
        .as("a driver that has nothing to load makes no load longer")
        .isCloseTo(secondsOfLoad(report), Offset.offset(0.1));
  }

  @Test
  void aFedoraThatIsKilledIsWaitedForAndWhatItLostIsIngestedAgain() throws Exception {
    for (int kill = 0; kill < KILLS; kill++) {
      String name = "fedora-" + kill;
      ProcessHandle fedora = fedora(); // asking takes as long as some of the objects
      Fedometer.Call driver = startIngest(name);
      awaitBegun(driver, name);

      fedora.destroyForcibly();
      await()
          .atMost(PATIENCE)
          .failFast("the driver ended", () -> !driver.process().isAlive())
          .until(() -> driver.err().contains("Fedora is out of reach"));
      down();
      up();

      driver.await(PATIENCE);
      JsonNode report;
      if (driver.process().exitValue() == ExitCode.DONE) {
        report = driver.json();
      } else {
        // Killed when it had just registered an object: its API can do nothing about that.
        driver.expect(ExitCode.DONE_WITH_ERRORS);
        assertThat(driver.out()).contains("repair --home");
        down();
        fedometer.start("repair", "--home", home.toString()).await(PATIENCE).expect(ExitCode.DONE);
        up();
        report = resume(name).expect(ExitCode.DONE).json();
      }
      Reports.assertWhole(report, OBJECTS);
      assertThat(report.at("/outages").size()).as("the outage is on record").isPositive();
    }
  }

  @Test
  void aRunThatGoesOnIsItsDriversAloneAndWhatWasDoneWithItIsKept() throws Exception {
    Fedometer.Call driver = startIngest("alone", 100_000);
    awaitBegun(driver, "alone");

    Fedometer.Call second = resume("alone");

    second.expect(ExitCode.COULD_NOT_START);
    assertThat(second.err()).contains("its driver still runs");
    fedometer.start("pause", "alone").await(PATIENCE).expect(ExitCode.DONE);
    fedometer.start("load", "alone", "--workers", "2").await(PATIENCE).expect(ExitCode.DONE);
    fedometer.start("stop", "alone").await(PATIENCE).expect(ExitCode.DONE);
    driver.await(PATIENCE).expect(ExitCode.INTERRUPTED);
    assertThat(driver.err()).contains("ingest --resume alone");

    JsonNode report =
        fedometer
            .startWithStore("ingest", "--resume", "alone", "--for", "1s", "--json")
            .await(PATIENCE)
            .expect(ExitCode.DONE)
            .json();
    assertThat(report.at("/load/pauses").size()).as("of the driver before").isEqualTo(1);
    assertThat(report.at("/load/changes/0/workers").asInt()).isEqualTo(2);
  }

  @Test
  void driversThatShareARunBringEveryObjectOnceAndWaitForWhatAllReferTo() throws Exception {
    long before = triples();
    Fedometer.Call second = startShard(2);
    await()
        .atMost(PATIENCE)
        .failFast("the driver ended early", () -> !second.process().isAlive())
        .until(() -> second.err().contains("Waiting for what other drivers of this run bring"));
    Fedometer.Call first = startShard(1);

    first.await(PATIENCE).expect(ExitCode.DONE);
    second.await(PATIENCE).expect(ExitCode.DONE);

    JsonNode report = fedometer.startWithStore("report", "shared", "--json").await(PATIENCE).json();
    assertThat(report.at("/objects/requested").asLong()).isEqualTo(60);
    assertThat(report.at("/objects/ingested").asLong()).isEqualTo(60);
    assertThat(report.at("/state").asText()).isEqualTo("done");
    assertThat(triples() - before).isEqualTo(report.at("/triples/expected").asLong());
    JsonNode verified =
        fedometer
            .startWithStore(
                "verify",
                "shared",
                "--everything",
                "--target",
                target().toString(),
                "--password-file",
                home.resolve("secrets/admin-password").toString(),
                "--json")
            .await(PATIENCE)
            .expect(ExitCode.DONE)
            .json();
    assertThat(verified.at("/objectsFound").asLong()).isEqualTo(60);
  }

  private static double secondsOfLoad(JsonNode report) {
    return OBJECTS / report.at("/throughput/objectsPerSecond").asDouble();
  }

  /** Of a dataset whose first object all others are parts of. */
  private Fedometer.Call startShard(int number) throws IOException {
    return startIngest("shared", "nested", 60, "--shard", number + "/2", "--name", "shared");
  }

  private long triples() throws Exception {
    char[] password =
        Files.readString(home.resolve("secrets/admin-password")).strip().toCharArray();
    FedoraLogin login = new FedoraLogin(target(), "fedoraAdmin", password);
    try (FedoraClient client = FedoraClient.open(login, FedoraClientOptions.forWorkers(1));
        FedoraSession session = client.newSession()) {
      session.login();
      return new TripleCounter(session).count(true);
    }
  }

  private URI target() {
    return URI.create("http://127.0.0.1:" + port + "/fedora");
  }

  private Fedometer.Call startIngest(String name) throws IOException {
    return startIngest(name, OBJECTS);
  }

  private Fedometer.Call startIngest(String name, long objects) throws IOException {
    return startIngest(name, "patents:small", objects, "--longest-literal", "2692", "--name", name);
  }

  private Fedometer.Call startIngest(String namespace, String dataset, long objects, String... more)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "ingest",
                "--target",
                target().toString(),
                "--password-file",
                home.resolve("secrets/admin-password").toString(),
                "--dataset",
                dataset,
                "--namespace",
                namespace,
                "--objects",
                Long.toString(objects),
                "--confirm-every",
                "1s",
                "--json"));
    arguments.addAll(List.of(more));
    return fedometer.startWithStore(arguments.toArray(String[]::new));
  }

  private Fedometer.Call resume(String name) throws Exception {
    return fedometer.startWithStore("ingest", "--resume", name, "--json").await(PATIENCE);
  }

  /** Until the driver has begun some of the objects, and then a moment. */
  private void awaitBegun(Fedometer.Call driver, String name) {
    Path journal = fedometer.store().resolve("journals").resolve(name);
    long wanted = 10 + random.nextInt((int) OBJECTS / 2);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .ignoreExceptions()
        .failFast("the driver ended early", () -> !driver.process().isAlive())
        .until(() -> Journal.read(journal).nextIndex() >= wanted);
  }

  private ProcessHandle fedora() throws Exception {
    JsonNode stacks = fedometer.start("ps", "--json").await(PATIENCE).expect(ExitCode.DONE).json();
    return ProcessHandle.of(stacks.get(0).get("pid").asLong()).orElseThrow();
  }

  private void up(String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "up", "--home", home.toString(), "--no-agent", "--port", Integer.toString(port)));
    arguments.addAll(List.of(more));
    fedometer
        .startWithStore(arguments.toArray(String[]::new))
        .await(PATIENCE)
        .expect(ExitCode.DONE);
    assertThat(Files.isDirectory(home)).isTrue();
  }

  private void down() throws Exception {
    fedometer.start("down", "--home", home.toString()).await(PATIENCE).expect(ExitCode.DONE);
  }
}
