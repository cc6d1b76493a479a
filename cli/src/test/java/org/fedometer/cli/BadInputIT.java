package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Invalid requests yield one sentence and the right exit code, and leave nothing behind. */
@Tag("fedora")
class BadInputIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private Fedometer fedometer;

  @BeforeEach
  void command() {
    fedometer = new Fedometer(folder);
  }

  @AfterEach
  void nothingIsLeftRunning() {
    // A collector that was started ends by itself, seconds after its last connection.
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
  }

  @Test
  void unknownProfileListsProfiles() throws Exception {
    var call = fedometer.startWithStore("run", "--profile", "oracle").await(TIMEOUT);
    call.expect(ExitCode.BAD_USAGE);
    assertThat(call.err()).contains("oracle", "mptstore-postgresql", "mulgara-derby");
    assertThat(call.err()).doesNotContain("Exception");
  }

  @Test
  void unknownDatasetListsDatasets() throws Exception {
    var call = fedometer.startWithStore("run", "--dataset", "novels").await(TIMEOUT);
    call.expect(ExitCode.BAD_USAGE);
    assertThat(call.err()).contains("novels", "patents", "patents-xml");
  }

  @Test
  void aFolderWithoutPatentsIsRefusedByName() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    var call = fedometer.startWithStore("run", "--dataset", "patents-xml:" + empty).await(TIMEOUT);
    call.expect(ExitCode.BAD_USAGE);
    assertThat(call.err()).contains(empty.toString());
  }

  @Test
  void rejectsNumbersOutOfRange() throws Exception {
    var objects = fedometer.startWithStore("run", "--objects", "0").await(TIMEOUT);
    objects.expect(ExitCode.BAD_USAGE);
    assertThat(objects.err()).contains("--objects 0");
    var workers = fedometer.startWithStore("run", "--workers", "many").await(TIMEOUT);
    workers.expect(ExitCode.BAD_USAGE);
    assertThat(workers.err()).contains("many");
  }

  @Test
  void aStageThatCannotBeWovenIsRefusedBeforeAnythingIsInstalled() throws Exception {
    for (var bad :
        Map.of(
                "my.read=execution(* a.B.c(", "is not a pointcut",
                "my.read", "give NAME=POINTCUT",
                "My=execution(* a.B.c(..))", "'My' is not a stage name",
                "ingest=execution(* a.B.c(..))", "has the name of a Fedometer stage",
                "my.read=execution(* a.B.c(..)) && cflow(call(* a.B.d()))", "withincode")
            .entrySet()) {
      for (String command : List.of("run", "attach")) {
        String[] arguments =
            command.equals("run")
                ? new String[] {"run", "--stage", bad.getKey()}
                : new String[] {"attach", "4194304", "--stage", bad.getKey()};
        var call = fedometer.startWithStore(arguments).await(TIMEOUT);
        assertThat(call.expect(ExitCode.BAD_USAGE).err())
            .contains(bad.getValue())
            .doesNotContain("Exception");
      }
    }
    var file = fedometer.startWithStore("run", "--aop", folder.resolve("none.xml").toString());
    assertThat(file.await(TIMEOUT).expect(ExitCode.BAD_USAGE).err()).contains("none.xml");
    var idle =
        fedometer.startWithStore(
            "stack",
            "up",
            "--home",
            folder.resolve("home").toString(),
            "--no-agent",
            "--stage",
            "my.read=execution(* a.B.c(..))");
    assertThat(idle.await(TIMEOUT).expect(ExitCode.BAD_USAGE).err()).contains("--no-agent");
  }

  @Test
  void rejectsAStoreThatDoesNotExist() throws Exception {
    for (String command :
        List.of("runs list", "runs query", "report r", "runs trace r p:1", "runs logs r")) {
      var call = fedometer.startWithStore(command.split(" ")).await(TIMEOUT);
      call.expect(ExitCode.BAD_USAGE);
      assertThat(call.err())
          .as(command)
          .startsWith("fedometer: --store " + fedometer.store() + " does not exist; give ");
    }
    for (String command : List.of("runs rm r", "runs archive r")) {
      var call = fedometer.startWithStore(command.split(" ")).await(TIMEOUT);
      call.expect(ExitCode.BAD_USAGE);
      assertThat(call.err()).as(command).contains(fedometer.store() + " does not exist");
    }
    Files.createFile(fedometer.store());
    var file = fedometer.startWithStore("runs", "list").await(TIMEOUT).expect(ExitCode.BAD_USAGE);
    assertThat(file.err()).contains(fedometer.store() + " is not a folder");
  }

  @Test
  void emptyDefaultStoreExplainsHowToMakeARun() throws Exception {
    var runs = fedometer.start("runs", "list").await(TIMEOUT).expect(ExitCode.DONE);
    assertThat(runs.out()).contains("no run yet in " + folder, "'fedometer run'");
    var query = fedometer.start("runs", "query", "SELECT 1").await(TIMEOUT).expect(ExitCode.DONE);
    assertThat(query.err()).contains("no run yet", "'fedometer run'");
    for (String command : List.of("report r", "runs rm r")) {
      var call = fedometer.start(command.split(" ")).await(TIMEOUT).expect(ExitCode.BAD_USAGE);
      assertThat(call.err()).as(command).contains("no run yet", "'fedometer run'");
    }
    assertThat(folder.resolve("fedometer-store")).doesNotExist();
  }

  @Test
  void unknownRunListsRuns() throws Exception {
    Files.createDirectories(fedometer.store().resolve("runs/night"));
    var call = fedometer.startWithStore("report", "nothing-like-it").await(TIMEOUT);
    call.expect(ExitCode.BAD_USAGE);
    assertThat(call.err()).contains("nothing-like-it", "night");
  }

  @Test
  void rejectsAnOccupiedPortBeforeInstalling() throws Exception {
    try (ServerSocket occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(occupied.getLocalPort());
      var call =
          fedometer
              .startWithStore(
                  "run", "--dataset", "patents:small", "--port", port, "--name", "taken")
              .await(TIMEOUT);
      call.expect(ExitCode.COULD_NOT_START);
      assertThat(call.err()).contains(port);
    }
    var report = fedometer.startWithStore("report", "taken").await(TIMEOUT);
    assertThat(report.out()).as("the run folder is readable").contains("taken", "failed");
  }

  @Test
  void moreObjectsThanTheDiskHoldsAreRefusedBeforeAnythingIsInstalled() throws Exception {
    var call =
        fedometer
            .startWithStore("run", "--dataset", "patents:small", "--objects", "1000000000000")
            .await(TIMEOUT);
    call.expect(ExitCode.COULD_NOT_START);
    assertThat(call.err()).contains("disk");
  }

  @Test
  void aCollectorThatIsNotThereIsNamed() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    var call =
        fedometer
            .startWithStore("run", "--dataset", "patents:small", "--collector", "127.0.0.1:" + port)
            .await(TIMEOUT);
    call.expect(ExitCode.COULD_NOT_START);
    assertThat(call.err()).contains("127.0.0.1:" + port);
  }

  @Test
  void reportsAnUnreachableInstaller() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path home = Files.createDirectories(folder.resolve("home/.m2"));
    Files.writeString(
        home.resolve("settings.xml"),
        """
        <settings>
          <localRepository>%s</localRepository>
          <mirrors><mirror><id>gone</id><mirrorOf>*</mirrorOf><url>http://127.0.0.1:%d/</url></mirror></mirrors>
        </settings>
        """
            .formatted(folder.resolve("empty-repository"), port));
    var call =
        fedometer
            .start(
                Map.of("HOME", home.getParent().toString()),
                "run",
                "--dataset",
                "patents:small",
                "--store",
                fedometer.store().toString())
            .await(TIMEOUT);
    call.expect(ExitCode.COULD_NOT_START);
    assertThat(call.err()).contains("fcrepo-installer");
    assertThat(call.err()).doesNotContain("at org.fedometer");
  }

  @Test
  void launcherReportsTheRequiredJava() throws Exception {
    Path bin = Files.createDirectories(folder.resolve("old/bin"));
    Path java = bin.resolve("java");
    Files.writeString(java, "#!/bin/sh\necho '    java.specification.version = 11' >&2\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    ProcessBuilder builder =
        new ProcessBuilder(Fedometer.ROOT.resolve("fedometer").toString(), "--version")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("launcher.out").toFile());
    builder.environment().put("JAVA_HOME", bin.getParent().toString());
    Process launcher = builder.start();
    assertThat(launcher.waitFor()).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(folder.resolve("launcher.out")).content().contains("Java 11", "JDK 17");
  }
}
