package org.fedometer.profiles.stack.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxProcessTest {

  private Process sleep;

  @BeforeEach
  void startASleep() throws IOException {
    // The shell waits as well, so that there is a child; the last word is an argument to find.
    sleep = new ProcessBuilder("sh", "-c", "sleep 60; :", "a", "b c " + hashCode()).start();
    // Between its fork and its exec, the child has the shell's command line.
    await().until(() -> sleep.descendants().map(ProcessHandle::pid).anyMatch(this::isSleep));
  }

  private boolean isSleep(long pid) {
    return LinuxProcess.withArguments("sleep", "sleep", "60").stream()
        .anyMatch(process -> process.pid() == pid);
  }

  @AfterEach
  void endTheSleep() {
    sleep.descendants().forEach(ProcessHandle::destroyForcibly);
    sleep.destroyForcibly();
  }

  @Test
  void aRunningProcessIsAliveUntilItEnds() throws IOException {
    LinuxProcess process = LinuxProcess.of("sleep", sleep.pid()).orElseThrow();
    assertThat(process.isAlive()).isTrue();
    assertThat(process.awaitEnd(Duration.ofMillis(50))).isFalse();

    process.signal("KILL");

    assertThat(process.awaitEnd(Duration.ofSeconds(10))).isTrue();
    assertThat(LinuxProcess.of("sleep", sleep.pid())).isEmpty();
  }

  @Test
  void aProcessIsFoundByTheFolderItWorksInUntilItEnds(@TempDir Path folder) throws Exception {
    Process there = new ProcessBuilder("sleep", "60").directory(folder.toFile()).start();
    try {
      await()
          .untilAsserted(
              () ->
                  assertThat(LinuxProcess.inFolder("sleep", folder))
                      .extracting(LinuxProcess::pid)
                      .containsExactly(there.pid()));
    } finally {
      there.destroyForcibly().waitFor();
    }

    assertThat(LinuxProcess.inFolder("sleep", folder)).isEmpty();
  }

  @Test
  void distinguishesAReusedPid() throws IOException {
    LinuxProcess process = LinuxProcess.of("sleep", sleep.pid()).orElseThrow();
    LinuxProcess earlier =
        new LinuxProcess("x", process.pid(), process.startTicks() - 1, process.bootId());
    LinuxProcess beforeReboot =
        new LinuxProcess("x", process.pid(), process.startTicks(), "another boot");

    earlier.signal("KILL");
    beforeReboot.signal("KILL");

    assertThat(earlier.isAlive()).isFalse();
    assertThat(beforeReboot.isAlive()).isFalse();
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void aProcessIsFoundByItsArguments() {
    assertThat(LinuxProcess.withArguments("x", "a", "b c " + hashCode()))
        .extracting(LinuxProcess::pid)
        .containsExactly(sleep.pid());
    assertThat(LinuxProcess.withArguments("x", "b c " + hashCode(), "a")).isEmpty();
    assertThat(LinuxProcess.withArguments("x", "c " + hashCode())).isEmpty();
  }

  @Test
  void anInterruptDoesNotCutTheWaitShort() throws IOException {
    LinuxProcess process = LinuxProcess.of("sleep", sleep.pid()).orElseThrow();
    process.signal("KILL");
    Thread.currentThread().interrupt();

    assertThat(process.awaitEnd(Duration.ofSeconds(10))).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }
}
