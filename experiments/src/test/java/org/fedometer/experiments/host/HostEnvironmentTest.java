package org.fedometer.experiments.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostEnvironmentTest {

  @Test
  void describesMachineAndDiskBeforeTheStoreExists(@TempDir Path folder) {
    Map<String, String> facts = HostEnvironment.describe(folder.resolve("not/yet/made"));

    assertThat(facts).containsKeys("host", "os.kernel", "cpu.count", "memory.total");
    assertThat(Long.parseLong(facts.get("disk.totalBytes"))).isPositive();
    assertThat(facts.values()).allSatisfy(value -> assertThat(value).isNotBlank());
  }

  @Test
  void whatChangesByItselfIsKeptApart(@TempDir Path folder) {
    Map<String, String> now = HostEnvironment.now(folder);

    assertThat(now).containsKeys("load.average", "memory.available", "disk.usableBytes");
    assertThat(HostEnvironment.describe(folder))
        .doesNotContainKeys(now.keySet().toArray(String[]::new));
  }

  @Test
  void aDiskIsKnownByTheMountThatAPathGoesThrough() {
    Map<String, String> facts = Disk.of(Path.of("/proc/self"));

    assertThat(facts)
        .containsEntry("filesystem", "proc")
        .containsEntry("mount.point", "/proc")
        .containsKey("mount.options");
  }

  @Test
  void aProcessorIsNamedOnEveryKindOfMachine() {
    assertThat(HostEnvironment.cpuModel(List.of("processor\t: 0", "model name\t: Xeon: one")))
        .isEqualTo("Xeon: one");
    assertThat(
            HostEnvironment.cpuModel(
                List.of(
                    "processor\t: 0",
                    "CPU implementer\t: 0x41",
                    "CPU variant\t: 0x3",
                    "CPU part\t: 0xd0c")))
        .isEqualTo("implementer 0x41, part 0xd0c, variant 0x3");
    assertThat(HostEnvironment.cpuModel(List.of("processor\t: 0"))).isNull();
  }

  @Test
  void theBootHasAnIdentityThatStays() {
    assertThat(HostEnvironment.bootId()).isNotEmpty().isEqualTo(HostEnvironment.bootId());
  }
}
