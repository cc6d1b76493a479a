package org.fedometer.experiments.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.TelemetryDecoder;
import org.fedometer.wire.session.MetricDictionary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackTelemetryTest {

  private static final Duration INTERVAL = Duration.ofMillis(100);
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final Received received = new Received();
  private Process fedora;
  private StackTelemetry.DiskSource disks = () -> null;

  /** A collector's view: values by metric, in order. */
  private static final class Received implements Readings.Target {
    private final Map<Integer, String> names = new LinkedHashMap<>();
    private final Map<String, List<Double>> values = new ConcurrentHashMap<>();
    private volatile boolean away;
    private volatile boolean error;

    /** Until when it keeps the database's thread waiting; null if it does not. */
    private volatile CountDownLatch heldUp;

    /** Counted down once it is kept waiting. */
    private final CountDownLatch waits = new CountDownLatch(1);

    @Override
    public void frame(FrameType type, byte[] payload) throws IOException {
      CountDownLatch release = heldUp;
      String thread = Thread.currentThread().getName();
      if (release != null && thread.equals("fedometer-telemetry-database")) {
        waits.countDown();
        try {
          release.await();
        } catch (InterruptedException e) {
          throw new IOException("interrupted", e);
        }
      }
      if (error) {
        throw new StackOverflowError();
      }
      if (away) {
        throw new IOException("no server is there");
      }
      try {
        if (type == FrameType.METRICS) {
          MetricDictionary.decode(ByteBuffer.wrap(payload))
              .entries()
              .forEach((number, metric) -> names.put(number, metric.name()));
        } else {
          TelemetryDecoder.decode(
              ByteBuffer.wrap(payload),
              (atNanos, metric, value) ->
                  values.computeIfAbsent(names.get(metric), n -> new ArrayList<>()).add(value));
        }
      } catch (MalformedFrameException e) {
        throw new AssertionError(e);
      }
    }

    int count(String metric) {
      return values.getOrDefault(metric, List.of()).size();
    }
  }

  @BeforeEach
  void startFedora() throws IOException {
    fedora = new ProcessBuilder("sleep", "600").start();
  }

  @AfterEach
  void stopFedora() {
    fedora.destroyForcibly();
  }

  private StackTelemetry open(DatabaseMonitor.Source database) {
    return open(database, INTERVAL);
  }

  private StackTelemetry open(DatabaseMonitor.Source database, Duration interval) {
    return StackTelemetry.open(
        OptionalLong.of(fedora.pid()),
        OptionalLong.empty(),
        disks,
        database,
        received,
        interval,
        new DatabaseMonitor.Timeouts(TIMEOUT, Duration.ofMillis(200), Duration.ofSeconds(2)));
  }

  /** Speaks as PostgreSQL does; what it counts are its answers. */
  private static final class Server implements DatabaseMonitor.Source {
    private static final String COUNTED = "pg_stat_database.xact_commit";

    private final AtomicInteger tries = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final CountDownLatch aborted = new CountDownLatch(1);
    private volatile boolean down;
    private volatile boolean hangs;

    @Override
    public Optional<Connection> connect() throws SQLException {
      tries.incrementAndGet();
      if (down) {
        throw new SQLException("Connection refused.");
      }
      Connection real = DriverManager.getConnection("jdbc:duckdb:");
      open.incrementAndGet();
      DatabaseMetaData metaData =
          standIn(
              DatabaseMetaData.class,
              (proxy, method, arguments) ->
                  method.getName().equals("getDatabaseProductName") ? (Object) "PostgreSQL" : 18);
      return Optional.of(
          standIn(
              Connection.class,
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "getMetaData" -> metaData;
                    case "prepareStatement" -> statement(real);
                    default -> {
                      // close or abort
                      aborted.countDown();
                      open.decrementAndGet();
                      real.close();
                      yield null;
                    }
                  }));
    }

    private PreparedStatement statement(Connection real) throws SQLException {
      PreparedStatement statement = real.prepareStatement("SELECT 1 AS \"%s\"".formatted(COUNTED));
      return standIn(
          PreparedStatement.class,
          (proxy, method, arguments) -> {
            if (down) {
              throw new SQLException("terminating connection due to administrator command");
            }
            if (hangs) {
              aborted.await();
              throw new SQLException("aborted");
            }
            return statement.executeQuery();
          });
    }

    private static <T> T standIn(Class<T> type, InvocationHandler handler) {
      return type.cast(
          Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
  }

  @Test
  void queriesAgainAfterReconnectAndReportsTheGap() {
    Server server = new Server();
    try (StackTelemetry telemetry = open(server)) {
      assertThat(received.count(Server.COUNTED)).as("asked before anything begins").isEqualTo(1);

      server.down = true;
      await().atMost(TIMEOUT).until(() -> server.tries.get() >= 3);
      int answers = received.count(Server.COUNTED);
      server.down = false;
      await().atMost(TIMEOUT).until(() -> received.count(Server.COUNTED) > answers);
      telemetry.close();

      assertThat(telemetry.notes())
          .singleElement()
          .asString()
          .matches(
              "The database's counters are missing for \\d+ s of the telemetry:"
                  + " terminating connection due to administrator command");
      assertThat(server.open).hasValue(0);
    }
  }

  @Test
  void aDatabaseThatDiesAfterItsFirstAnswerIsNotedOnce() {
    Server server = new Server();
    try (StackTelemetry telemetry = open(server)) {
      server.down = true;
      await().atMost(TIMEOUT).until(() -> server.tries.get() >= 3);
      int read = received.count("fedora.process.cpu.time");
      await().atMost(TIMEOUT).until(() -> received.count("fedora.process.cpu.time") > read);
      telemetry.close();

      assertThat(telemetry.notes())
          .containsExactly(
              "Telemetry of the database's counters ended early:"
                  + " terminating connection due to administrator command");
      assertThat(server.open).hasValue(0);
    }
  }

  @Test
  void aDatabaseThatDoesNotAnswerHoldsUpNeitherTheOthersNorTheEnd() {
    Server server = new Server();
    try (StackTelemetry telemetry = open(server)) {
      server.hangs = true;
      int read = received.count("fedora.process.cpu.time");
      await().atMost(TIMEOUT).until(() -> received.count("fedora.process.cpu.time") > read + 10);

      telemetry.close();

      assertThat(telemetry.notes())
          .containsExactly(
              "The database did not answer a last time within 2 s; its counters end early.");
      await().atMost(TIMEOUT).until(() -> threads("fedometer-telemetry") == 0);
      assertThat(server.aborted.getCount()).isZero();
    }
  }

  @Test
  void abortDoesNotWaitAndStopsReading() {
    Server server = new Server();
    try (StackTelemetry telemetry = open(server)) {
      server.hangs = true;
      int read = received.count("fedora.process.cpu.time");
      await().atMost(TIMEOUT).until(() -> received.count("fedora.process.cpu.time") > read + 10);

      telemetry.abort();

      await().atMost(TIMEOUT).until(() -> threads("fedometer-telemetry") == 0);
      assertThat(server.aborted.getCount()).isZero();
      int atTheEnd = received.count("driver.process.cpu.time");
      telemetry.close();
      assertThat(received.count("driver.process.cpu.time")).isEqualTo(atTheEnd);
      assertThat(telemetry.notes()).as("as of an answer that did not come").isEmpty();
    }
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .count();
  }

  @Test
  void aReadingThatWaitsForTheDatabasesIsOfTheTimeBeforeItWaited() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    try (StackTelemetry telemetry = open(new Server())) {
      received.heldUp = release;
      received.waits.await();
      await().atMost(TIMEOUT).until(() -> isBlocked("fedometer-telemetry"));
      int read = received.count("fedora.process.cpu.time");
      fedora.destroyForcibly().waitFor();

      release.countDown();

      await().atMost(TIMEOUT).until(() -> received.count("fedora.process.cpu.time") > read);
    } finally {
      release.countDown();
    }
  }

  private static boolean isBlocked(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(
            thread -> thread.getName().equals(name) && thread.getState() == Thread.State.BLOCKED);
  }

  @Test
  void anErrorInAReadingIsNoted() {
    received.error = true;
    try (StackTelemetry telemetry = open(Optional::empty)) {
      telemetry.close();

      assertThat(telemetry.notes())
          .containsExactly("Telemetry of processes and disks ended early: it is nested too deeply");
    }
  }

  @Test
  void whatTheDisksDidIsReadUntilOneIsGone(@TempDir Path devices) throws Exception {
    Path counter = BlockDevicesTest.counterOf(devices, devices);
    Files.writeString(counter, "7 5 1000 9 8 6 3000 1 0 2 3\n");
    disks = () -> BlockDevices.below(devices, List.of(devices));
    StackTelemetry telemetry = open(Optional::empty);
    assertThat(received.values.get("system.disk.read")).containsExactly(512_000.0);
    assertThat(received.values.get("system.disk.written")).containsExactly(1_536_000.0);

    Files.delete(counter);
    await().atMost(TIMEOUT).until(() -> !telemetry.notes().isEmpty());
    telemetry.close();

    assertThat(telemetry.notes())
        .containsExactly("Telemetry of the disks ended early, as one of them is gone.");
    assertThat(received.count("driver.process.cpu.time")).isGreaterThan(1);
  }

  @Test
  void reportsWhyDisksAreNotRead() throws Exception {
    disks =
        () -> {
          throw new IOException("/x is on no disk");
        };
    try (StackTelemetry telemetry = open(Optional::empty)) {
      assertThat(telemetry.notes())
          .containsExactly("Reads and writes of disks are not in the telemetry: /x is on no disk.");
    }
  }

  @Test
  void processesAreReadAgainAndAgainAndAtBothEnds() {
    StackTelemetry telemetry = open(Optional::empty);
    assertThat(received.count("fedora.process.cpu.time")).isEqualTo(1);

    await().atMost(TIMEOUT).until(() -> received.count("fedora.process.cpu.time") > 3);
    telemetry.close();

    assertThat(received.values)
        .containsOnlyKeys(
            "fedora.process.cpu.time",
            "fedora.process.memory.usage",
            "fedora.process.disk.read",
            "driver.process.cpu.time",
            "driver.process.memory.usage",
            "driver.process.disk.read");
    assertThat(received.values.get("driver.process.cpu.time")).isSorted();
    assertThat(received.values.get("fedora.process.memory.usage")).allMatch(bytes -> bytes > 0);
    assertThat(telemetry.notes()).isEmpty();
    int atTheEnd = received.count("driver.process.cpu.time");
    telemetry.close();
    assertThat(received.count("driver.process.cpu.time")).isEqualTo(atTheEnd);
  }

  @Test
  void aProcessThatEndsIsNotedAndTheOthersGoOn() throws InterruptedException {
    try (StackTelemetry telemetry = open(Optional::empty)) {
      fedora.destroyForcibly().waitFor();

      await().atMost(TIMEOUT).until(() -> !telemetry.notes().isEmpty());
      int soFar = received.count("driver.process.cpu.time");
      await().atMost(TIMEOUT).until(() -> received.count("driver.process.cpu.time") > soFar);
      telemetry.close();

      assertThat(telemetry.notes())
          .containsExactly("Telemetry of the process 'fedora' ended early, as the process did.");
    }
  }

  @Test
  void aDatabaseThatCannotBeReachedIsNotedAndTheProcessesAreRead() {
    try (StackTelemetry telemetry =
        open(
            () -> {
              throw new SQLException("Connection refused.\nMore of it.");
            },
            // At both ends, and not in between.
            TIMEOUT)) {
      telemetry.close();

      assertThat(telemetry.notes())
          .containsExactly("The database's counters are not in the telemetry: Connection refused.");
      assertThat(received.count("fedora.process.cpu.time")).isEqualTo(2);
    }
  }

  @Test
  void aDatabaseOfAnotherKindIsNotedOnce() throws Exception {
    // It accepts the connection, but does not know the statement.
    try (StackTelemetry telemetry =
        open(() -> Optional.of(DriverManager.getConnection("jdbc:duckdb:")))) {
      await().atMost(TIMEOUT).until(() -> received.count("fedora.process.cpu.time") > 10);
      telemetry.close();

      assertThat(telemetry.notes()).hasSize(1);
      assertThat(telemetry.notes().get(0)).startsWith("The database's counters are not");
    }
  }

  @Test
  void aCollectorThatIsAwayCostsReadingsAndNothingElse() {
    try (StackTelemetry telemetry = open(Optional::empty)) {
      await().atMost(TIMEOUT).until(() -> received.count("driver.process.cpu.time") > 2);
      received.away = true;
      telemetry.close();

      assertThat(telemetry.notes()).hasSize(1);
      assertThat(telemetry.notes().get(0))
          .endsWith(" of the telemetry did not reach the collector.");
    }
  }
}
