package org.fedometer.profiles.stack.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessEndsTest {
  @TempDir Path root;

  @Test
  void aProcessThatWasKilledSaysSoAndOthersDoNot() throws Exception {
    Process killed = start("sleep", "60");
    assertThat(ProcessEnds.kill(killed.pid())).as("runs").isEmpty();
    killed.destroyForcibly().waitFor();
    Process ended = start("true");
    ended.waitFor();

    assertThat(ProcessEnds.kill(killed.pid()).orElseThrow()).startsWith("killed by ");
    assertThat(ProcessEnds.kill(ended.pid())).isEmpty();
    assertThat(ProcessEnds.kill(ProcessHandle.current().pid())).as("not ours").isEmpty();
  }

  @Test
  void theKernelIsNamedWhereItHasKilledForMemoryMeanwhile() {
    assertThat(ProcessEnds.kill(137, true))
        .hasValue("killed by the kernel for lack of memory (signal 9)");
    assertThat(ProcessEnds.kill(137, false)).hasValue("killed by signal 9");
    assertThat(ProcessEnds.kill(143, true)).as("SIGTERM").isEmpty();
    assertThat(ProcessEnds.kill(1, true)).isEmpty();
  }

  @Test
  void killsAreCountedInGroupsOfBothVersionsAndElseInTheSystem() throws IOException {
    write("proc/vmstat", "pgfault 1\noom_kill 7\n");
    assertThat(ProcessEnds.memoryKills(root)).isEqualTo(7);

    write("proc/self/cgroup", "4:memory:/docker/a\n1:cpu:/docker/a\n");
    write("sys/fs/cgroup/memory/memory.oom_control", "under_oom 0\noom_kill 2\n");
    assertThat(ProcessEnds.memoryKills(root)).as("version 1, seen from inside").isEqualTo(2);

    write("proc/self/cgroup", "0::/a.slice/b.scope\n");
    write("sys/fs/cgroup/a.slice/b.scope/memory.events", "oom 5\noom_kill 3\noom_group_kill 0\n");
    assertThat(ProcessEnds.memoryKills(root)).as("version 2").isEqualTo(3);
  }

  @Test
  void whereNothingIsCountedNothingWasKilled() {
    assertThat(ProcessEnds.memoryKills(root)).isZero();
  }

  private static Process start(String... command) throws IOException {
    return ProcessEnds.watched(() -> new ProcessBuilder(command).start());
  }

  private void write(String file, String content) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }
}
