package org.fedometer.experiments.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMonitorTest {

  /** Linux counts processor time in these steps, for each thread and kind of time. */
  private static final long STEPS_NANOS = 100_000_000;

  @Test
  void cpuTimeAgreesWithTheJvm() {
    OperatingSystemMXBean jvm =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    ProcessMonitor self = ProcessMonitor.of(ProcessHandle.current().pid());

    long before = jvm.getProcessCpuTime();
    ProcessUse use = self.read().orElseThrow();
    long after = jvm.getProcessCpuTime();

    assertThat(use.cpuNanos()).isBetween(before - STEPS_NANOS, after + STEPS_NANOS);
    assertThat(use.memoryBytes()).isBetween(10L << 20, 100L << 30);
    assertThat(use.diskReadBytes()).isNotNegative();
  }

  @Test
  void aServersChildrenCountWhileTheyRunAndWhenTheyHaveEnded() throws Exception {
    // The first child is busy, the second waits; the shell itself does next to nothing.
    Process server =
        new ProcessBuilder("sh", "-c", "(while :; do :; done) & sleep 60 & wait").start();
    try {
      ProcessMonitor alone = ProcessMonitor.of(server.pid());
      ProcessMonitor all = ProcessMonitor.withChildren(server.pid());

      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> all.read().orElseThrow().cpuNanos() >= 5 * STEPS_NANOS);
      assertThat(alone.read().orElseThrow().cpuNanos()).isLessThan(STEPS_NANOS);
      assertThat(all.read().orElseThrow().memoryBytes())
          .isGreaterThan(alone.read().orElseThrow().memoryBytes());

      long soFar = all.read().orElseThrow().cpuNanos();
      server.children().filter(ProcessMonitorTest::isBusy).forEach(ProcessHandle::destroyForcibly);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> server.children().noneMatch(ProcessMonitorTest::isBusy));
      ProcessMonitor anew = ProcessMonitor.withChildren(server.pid());
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> anew.read().orElseThrow().cpuNanos() >= 5 * STEPS_NANOS);
      assertThat(alone.read().orElseThrow().cpuNanos()).isLessThan(STEPS_NANOS);
      assertThat(all.read().orElseThrow().cpuNanos()).isGreaterThanOrEqualTo(soFar);
    } finally {
      server.children().forEach(ProcessHandle::destroyForcibly);
      server.destroyForcibly();
    }
  }

  private static boolean isBusy(ProcessHandle child) {
    return child.info().command().filter(command -> !command.endsWith("sleep")).isPresent();
  }

  @Test
  void aProcessThatHasEndedUsesNothing() throws IOException, InterruptedException {
    Process sleep = new ProcessBuilder("sleep", "60").start();
    ProcessMonitor monitor = ProcessMonitor.of(sleep.pid());
    assertThat(monitor.read()).isPresent();

    sleep.destroyForcibly().waitFor();

    assertThat(monitor.read()).isEmpty();
    assertThat(ProcessMonitor.withChildren(sleep.pid()).read()).isEmpty();
  }

  @Test
  void doesNotReadALaterProcessWithTheSamePid(@TempDir Path proc) throws IOException {
    counterOf(proc, 4711, "Name:\tjava\nRssAnon:\t  1000 kB\nRssFile:\t   24 kB\n");
    ProcessMonitor monitor = new ProcessMonitor(proc, 4711, false);
    assertThat(monitor.read()).hasValue(new ProcessUse(70_000_000, 1024 << 10, -1));

    Path stat = proc.resolve("4711/stat");
    Files.writeString(stat, Files.readString(stat).replace(" 555 ", " 556 "));

    assertThat(monitor.read()).isEmpty();
  }

  @Test
  void usesResidentMemoryIfSharedMemoryIsUnknown(@TempDir Path proc) throws IOException {
    counterOf(proc, 1, "Name:\tjava\nVmRSS:\t  2048 kB\n");
    counterOf(proc, 2, "Name:\tjava\n");

    assertThat(new ProcessMonitor(proc, 1, false).read().orElseThrow().memoryBytes())
        .isEqualTo(2048 << 10);
    assertThat(new ProcessMonitor(proc, 2, false).read().orElseThrow().memoryBytes())
        .isEqualTo(ProcessUse.UNKNOWN);
  }

  /** As Linux does; it was started 555 ticks after the boot, and has used 7 since. */
  private static void counterOf(Path proc, long pid, String status) throws IOException {
    Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
    Files.writeString(
        folder.resolve("stat"),
        pid + " (a (b) c) S 1 1 1 0 -1 0 0 0 0 0 3 4 0 0 20 0 9 0 555 9999 99 0\n");
    Files.writeString(folder.resolve("status"), status);
  }
}
