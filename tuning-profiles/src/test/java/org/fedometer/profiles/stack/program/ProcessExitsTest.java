package org.fedometer.profiles.stack.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessExitsTest {
  @TempDir Path root;

  @Test
  void reportsKilledProcessesOnly() throws Exception {
    Process killed = start("sleep", "60");
    assertThat(ProcessExits.killCause(killed.pid())).as("runs").isEmpty();
    killed.destroyForcibly().waitFor();
    Process ended = start("true");
    ended.waitFor();

    assertThat(ProcessExits.killCause(killed.pid()).orElseThrow()).startsWith("killed by ");
    assertThat(ProcessExits.killCause(ended.pid())).isEmpty();
    assertThat(ProcessExits.killCause(ProcessHandle.current().pid())).as("not ours").isEmpty();
  }

  @Test
  void theKernelIsNamedWhereItHasKilledForMemoryMeanwhile() {
    assertThat(ProcessExits.killCause(137, true))
        .hasValue("killed by the kernel for lack of memory (signal 9)");
    assertThat(ProcessExits.killCause(137, false)).hasValue("killed by signal 9");
    assertThat(ProcessExits.killCause(143, true)).as("SIGTERM").isEmpty();
    assertThat(ProcessExits.killCause(1, true)).isEmpty();
  }

  @Test
  void killsAreCountedInGroupsOfBothVersionsAndElseInTheSystem() throws IOException {
    write("proc/vmstat", "pgfault 1\noom_kill 7\n");
    assertThat(ProcessExits.memoryKills(root)).isEqualTo(7);

    write("proc/self/cgroup", "4:memory:/docker/a\n1:cpu:/docker/a\n");
    write("sys/fs/cgroup/memory/memory.oom_control", "under_oom 0\noom_kill 2\n");
    assertThat(ProcessExits.memoryKills(root)).as("version 1, seen from inside").isEqualTo(2);

    write("proc/self/cgroup", "0::/a.slice/b.scope\n");
    write("sys/fs/cgroup/a.slice/b.scope/memory.events", "oom 5\noom_kill 3\noom_group_kill 0\n");
    assertThat(ProcessExits.memoryKills(root)).as("version 2").isEqualTo(3);
  }

  @Test
  void whereNothingIsCountedNothingWasKilled() {
    assertThat(ProcessExits.memoryKills(root)).isZero();
  }

  private static Process start(String... command) throws IOException {
    return ProcessExits.startTracked(() -> new ProcessBuilder(command).start());
  }

  private void write(String file, String content) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }
}
