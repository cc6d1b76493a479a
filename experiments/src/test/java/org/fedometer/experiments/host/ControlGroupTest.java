package org.fedometer.experiments.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupTest {

  @TempDir private Path folder;
  private Path mount;
  private Path groups;

  @BeforeEach
  void mount() {
    mount = folder.resolve("cgroup");
    groups = folder.resolve("groups");
  }

  private void write(String file, String content) throws IOException {
    Path path = mount.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content + "\n");
  }

  @Test
  void reportsTheStrictestLimitOfTheGroupAndItsParents() throws IOException {
    Files.writeString(groups, "0::/user.slice/session.scope\n");
    write("user.slice/cpu.max", "150000 100000");
    write("user.slice/session.scope/cpu.max", "max 100000");
    write("user.slice/memory.max", "max");
    write("user.slice/session.scope/memory.max", "4294967296");

    assertThat(ControlGroup.limits(groups, mount))
        .containsOnly(entry("cpu.quota", "150000 100000"), entry("memory.limit", "4294967296"));
  }

  @Test
  void groupsOfVersion1AreUnderstood() throws IOException {
    Files.writeString(groups, "4:memory:/docker/abc\n1:cpu,cpuacct:/docker/abc\n0::/\n");
    write("memory/docker/abc/memory.limit_in_bytes", "1073741824");
    write("memory/memory.limit_in_bytes", "9223372036854771712");
    write("cpu/docker/abc/cpu.cfs_quota_us", "-1");
    write("cpu/docker/abc/cpu.cfs_period_us", "100000");

    assertThat(ControlGroup.limits(groups, mount))
        .containsOnly(entry("cpu.quota", "max 100000"), entry("memory.limit", "1073741824"));
  }

  @Test
  void usesTheRootLimitsIfTheGroupIsNotVisible() throws IOException {
    Files.writeString(groups, "0::/../../outside\n");
    write("cpu.max", "200000 100000");

    assertThat(ControlGroup.limits(groups, mount)).containsEntry("cpu.quota", "200000 100000");
  }

  @Test
  void reportsNothingWithoutGroups() {
    assertThat(ControlGroup.limits(groups, mount)).isEmpty();
  }

  @Test
  void theLessOfTheMachinesMemoryAndTheGroupsIsTheLimit() {
    assertThat(MemoryLimit.of(Map.of("memory.limit", "1000"), 2000))
        .hasValue(new MemoryLimit(1000, "the control group (container)"));
    assertThat(MemoryLimit.of(Map.of("memory.limit", "max"), 2000))
        .hasValue(new MemoryLimit(2000, "this machine"));
    assertThat(MemoryLimit.of(Map.of("memory.limit", "3000"), 2000))
        .hasValue(new MemoryLimit(2000, "this machine"));
    assertThat(MemoryLimit.of(Map.of(), 0)).isEmpty();
  }
}
