package org.fedometer.experiments.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.fedometer.driver.Controllable;
import org.fedometer.driver.IngestProgress;
import org.fedometer.driver.request.Latency;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that is spoken to over its real socket. */
@Timeout(60)
class RunControlTest {
  private static final String ID = "01M8198W44505MZ573F22Z3F6T";

  @TempDir private Path folder;
  private final SomeLoad load = new SomeLoad();
  private final AtomicInteger stops = new AtomicInteger();

  /** A load that follows requests. */
  private static final class SomeLoad implements Controllable {
    private boolean paused;
    private boolean inSteps;
    private int workers = 4;
    private Double rate;

    @Override
    public IngestProgress progress() {
      Latency times = new Latency(10, 80, 300, 400, 500);
      return new IngestProgress(
          new IngestProgress.ObjectCounts("object", 1_000, 10, 10, 0, 1),
          0,
          0,
          null,
          new IngestProgress.Rates(1, 12.3, new IngestProgress.Trend(0, 0, null, 0)),
          times,
          null,
          new IngestProgress.LoadState(paused, false, workers, rate, 0),
          1,
          80);
    }

    @Override
    public void pause() {
      paused = true;
    }

    @Override
    public void resume() {
      paused = false;
    }

    @Override
    public void stop() {
      throw new AssertionError("the run is stopped, not its load alone");
    }

    @Override
    public void change(Change change) {
      if (inSteps) {
        throw new IllegalStateException("This load goes in steps.");
      }
      workers = change.workers() == null ? workers : change.workers();
      rate =
          change.closedLoop()
              ? null
              : change.ratePerSecond() == null ? rate : change.ratePerSecond();
    }
  }

  @Test
  void executesRequestsAndReportsItsStatus() throws IOException {
    try (RunControl control = open()) {
      control.loadBegins(load);

      assertThat(send("night", "pause").message())
          .isEqualTo(
              "night is paused: 10/1,000 objects, 12.3/s, p50 80 ms, p99 400 ms, 0 errors, 1 min 20 s"
                  + " left.");
      assertThat(load.paused).isTrue();
      assertThat(send(ID, "resume").message()).startsWith("night loads with 4 workers in a closed");
      assertThat(send("night", "load workers=9 rate=2.5").message())
          .startsWith("night loads with 9 workers at 2.5 objects per second");
      assertThat(send("night", "load closed").message()).contains("in a closed model");
      assertThat(send("night", "status").done()).isTrue();
      assertThat(send("night", "stop").message()).startsWith("night is ending");
      assertThat(stops).hasValue(1);
    }
  }

  @Test
  void responseHasTheStatusAsJson() throws IOException {
    try (RunControl control = open()) {
      control.loadBegins(load);

      JsonNode json = new ObjectMapper().readTree(send("night", "load rate=20").json());

      assertThat(json.at("/done").asBoolean()).isTrue();
      assertThat(json.at("/run").asText()).isEqualTo("night");
      assertThat(json.at("/load/ratePerSecond").asDouble()).isEqualTo(20);
      assertThat(json.at("/load/workers").asInt()).isEqualTo(4);
      assertThat(json.at("/load/objects").asLong()).isEqualTo(1_000);
    }
  }

  @Test
  void rejectsInvalidRequestsWithAMessage() throws IOException {
    try (RunControl control = open()) {
      assertThat(send("night", "pause").done()).isFalse();
      assertThat(send("night", "pause").message()).startsWith("The run night is starting,");
      assertThat(send("night", "status").message())
          .isEqualTo("night is starting, draining or verifying; only 'load stop' works now.");
      control.loadBegins(load);
      assertThat(send("night", "load workers=0").message()).contains("workers must be 1 to 1000");
      assertThat(send("night", "load workers=many").done()).isFalse();
      assertThat(send("night", "dance").message()).isEqualTo("No such request: dance");
      load.inSteps = true;
      assertThat(send("night", "load workers=2").message()).isEqualTo("This load goes in steps.");
      assertThat(load.workers).isEqualTo(4);
    }
  }

  @Test
  void aRunThatHasEndedLeavesNothingAndIsNotThere() throws IOException {
    open().close();

    assertThat(runs().send("night", "pause")).isEmpty();
    assertThat(runs().send("other", "pause")).isEmpty();
    assertThat(files()).isEmpty();
  }

  @Test
  void reportsAKilledDriverAndRemovesItsFiles() throws Exception {
    Process killed = new ProcessBuilder("true").start();
    killed.waitFor();
    RunFiles files = new RunFiles(folder.resolve("runs"));
    Path socket = Files.createFile(files.folder().resolve(ID + ".sock"));
    files.write(new RunFiles.Entry(ID, "night", killed.pid(), socket.toString()));

    assertThatThrownBy(() -> runs().send("night", "pause"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The driver of night")
        .hasMessageContaining("has been killed");

    assertThat(files()).isEmpty();
  }

  @Test
  void isReachableAfterAResume() throws IOException {
    Path socket = runFiles().folder().resolve(ID + ".sock");
    ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    killed.bind(UnixDomainSocketAddress.of(socket));
    killed.close(); // leaves the file, as a kill does
    assertThat(socket).exists();

    try (RunControl control = open()) {
      assertThat(send("night", "status").done()).isTrue();
      assertThat(control.problem()).isNull();
    }
  }

  @Test
  void aDriverThatLivesIsNotDeprivedOfItsSocket() throws IOException {
    try (RunControl control = open();
        RunControl second = RunControl.open(ID, "night", stops::incrementAndGet, runFiles())) {
      assertThat(second.problem()).contains("Address already in use");
      assertThat(control.problem()).isNull();
      assertThat(send("night", "status").done()).isTrue();
    }
  }

  @Test
  void anotherProcessOfTheSameNumberIsNotTheDriver() throws Exception {
    RunFiles files = new RunFiles(folder.resolve("runs"));
    long own = ProcessHandle.current().pid();
    files.write(new RunFiles.Entry(ID, "night", own, "1999-01-01T00:00:00Z", "/none"));

    assertThatThrownBy(() -> runs().send("night", "pause")).hasMessageContaining("has been killed");
  }

  @Test
  void isReachableAfterAClockStep() throws IOException {
    try (RunControl control = open()) {
      control.loadBegins(load);
      RunFiles.Entry now = runFiles().all().get(0);
      runFiles()
          .write(
              new RunFiles.Entry(
                  now.id(), now.name(), now.pid(), "1999-01-01T00:00:00Z", now.socket()));

      assertThat(send("night", "pause").done()).isTrue();
    }
  }

  @Test
  void distinguishesRunsOfOneNameByTheirIds() throws IOException {
    String second = "01M8198W44505MZ573F22Z3F7T";
    try (RunControl one = open();
        RunControl two = RunControl.open(second, "night", stops::incrementAndGet, runFiles())) {
      assertThatThrownBy(() -> runs().send("night", "status")).hasMessageContaining(second);
      assertThat(send(second, "stop").done()).isTrue();
      assertThat(one.problem()).isNull();
      assertThat(two.problem()).isNull();
    }
  }

  @Test
  void folderIsPrivate() throws IOException {
    Path runs = Files.createDirectories(folder.resolve("runs"));
    Files.setPosixFilePermissions(runs, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (RunControl control = open()) {
      assertThat(control.problem()).isNull();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(runs)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void usesAFallbackFolderIfThePathIsTooLong() throws IOException {
    Path deep = folder.resolve("d".repeat(120));
    RunFiles files = new RunFiles(deep);
    Path socket;
    try (RunControl control = RunControl.open(ID, "night", stops::incrementAndGet, files)) {
      assertThat(control.problem()).isNull();
      assertThat(new RunningRuns(files).send("night", "status")).isPresent();
      socket = Path.of(files.all().get(0).socket());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
          .isEqualTo("rwx------");
    }
    assertThat(socket.getParent()).doesNotExist();
  }

  @Test
  void aSilentClientDoesNotBlockOthers() throws IOException {
    try (RunControl control = open();
        SocketChannel silent = SocketChannel.open(address());
        SocketChannel babbler = SocketChannel.open(address())) {
      control.loadBegins(load);
      babbler.write(ByteBuffer.wrap("x".repeat(1_000).getBytes()));

      assertThat(send("night", "pause").done()).isTrue();
      assertThat(silent.isOpen()).isTrue();
    }
  }

  private UnixDomainSocketAddress address() throws IOException {
    return UnixDomainSocketAddress.of(runFiles().all().get(0).socket());
  }

  private RunControl open() {
    RunControl control = RunControl.open(ID, "night", stops::incrementAndGet, runFiles());
    assertThat(control.problem()).isNull();
    return control;
  }

  private RunningRuns.RunResponse send(String run, String request) throws IOException {
    return runs().send(run, request).orElseThrow();
  }

  private RunFiles runFiles() {
    return new RunFiles(folder.resolve("runs"));
  }

  private RunningRuns runs() {
    return new RunningRuns(runFiles());
  }

  private Stream<Path> files() throws IOException {
    return Files.list(folder.resolve("runs"));
  }
}
