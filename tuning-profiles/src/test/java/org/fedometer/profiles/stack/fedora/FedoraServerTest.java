package org.fedometer.profiles.stack.fedora;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class FedoraServerTest {
  @TempDir Path folder;

  @Test
  void passesTheEnvironmentWithoutWritingIt() throws Exception {
    StackFolders folders = new StackFolders(folder);
    StackDocument document =
        StackDocument.of(
            "1",
            Profiles.shipped().profile("mulgara-derby"),
            StackOptions.at(folder),
            Path.of(System.getProperty("java.home")));
    document.write(folders.document());
    Files.createDirectories(folders.consoleLog().getParent());

    LinuxProcess process =
        new FedoraServer(folders, document)
            .launch(
                List.of(
                    "sh", "-c", "echo \"length ${#FEDOMETER_TOKEN} in $FEDORA_HOME\"; sleep 60"),
                Map.of("FEDOMETER_TOKEN", "sesame"));
    try {
      await()
          .untilAsserted(
              () ->
                  assertThat(folders.consoleLog())
                      .content()
                      .contains("length 6 in " + folders.fedora()));
    } finally {
      FedoraServer.stop(process);
    }
    try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(f -> assertThat(f).content().doesNotContain("sesame"));
    }
  }

  @Test
  void collectionsAreLoggedAsTheVersionOfJavaCanDoIt() throws Exception {
    Path log = folder.resolve("logs/gc.log");

    assertThat(commandLine("17.0.1"))
        .contains(
            "-Xlog:gc*,safepoint:file="
                + log
                + ":time,uptime,level,tags:filecount=10,filesize=30m");
    assertThat(commandLine("1.8.0_402"))
        .contains("-Xloggc:" + log, "-XX:+PrintGCDetails", "-XX:+PrintGCDateStamps")
        .noneMatch(argument -> argument.startsWith("-Xlog:"));
    assertThat(commandLine("17.0.1", "jvm.gcLog=false"))
        .noneMatch(argument -> argument.startsWith("-Xlog"));
  }

  @Test
  void aFlightRecordingIsWrittenWhenTheJvmEnds() throws Exception {
    assertThat(commandLine("17.0.1", "jvm.jfr=default"))
        .contains(
            "-XX:StartFlightRecording=name=fedometer,settings=%s,filename=%s,dumponexit=true"
                .formatted(folder.resolve("fedora.jfc"), folder.resolve("logs/fedora.jfr")));
    assertThat(commandLine("17.0.1"))
        .noneMatch(argument -> argument.startsWith("-XX:StartFlightRecording"));
  }

  /** The limit of the test is below that of a request. */
  @Test
  @Timeout(30)
  void aHangingFedoraTimesOut() throws Exception {
    Process fedora = new ProcessBuilder("sleep", "60").start();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      StackDocument document =
          StackDocument.of(
                  "1",
                  Profiles.shipped().profile("mulgara-derby"),
                  StackOptions.at(folder).withStartTimeout(Duration.ofSeconds(1)),
                  Path.of(System.getProperty("java.home")))
              .withPorts(silent.getLocalPort(), 0);
      LinuxProcess process = LinuxProcess.of("Fedora", fedora.pid()).orElseThrow();

      assertThatThrownBy(
              () -> new FedoraServer(new StackFolders(folder), document).awaitUp(process, 0, 0))
          .isInstanceOf(ProvisioningException.class)
          .hasMessage("Fedora did not answer within 1 s (last status: no connection).");
    } finally {
      fedora.destroyForcibly();
    }
  }

  @Test
  void noCommandLineIsMadeForAnotherJavaByWhomIsInterrupted() throws Exception {
    Path java = folder.resolve("slow");
    program(java, "#!/bin/sh\nexec sleep 60\n");

    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> commandLine(java)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  private List<String> commandLine(String javaVersion, String... changes) throws Exception {
    Path java = folder.resolve("java-" + javaVersion);
    program(java, "");
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"" + javaVersion + "\"\n");
    return commandLine(java, changes);
  }

  private List<String> commandLine(Path java, String... changes) throws Exception {
    StackDocument document =
        StackDocument.of(
            "1",
            Profiles.shipped().profile("mulgara-derby", List.of(changes)),
            StackOptions.at(folder),
            java);
    return new FedoraServer(new StackFolders(folder), document).commandLine();
  }

  private static void program(Path java, String script) throws Exception {
    Path program = Files.createDirectories(java.resolve("bin")).resolve("java");
    Files.writeString(program, script);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }
}
