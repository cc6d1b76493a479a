package org.fedometer.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostEnvironmentTest {

  @Test
  void tellsOfMachineAndDiskBeforeTheStoreIsMade(@TempDir Path folder) {
    Map<String, String> facts = HostEnvironment.describe(folder.resolve("not/yet/made"));

    assertThat(facts).containsKeys("host", "os.kernel", "cpu.count", "memory.total");
    assertThat(Long.parseLong(facts.get("disk.totalBytes"))).isPositive();
    assertThat(facts.values()).allSatisfy(value -> assertThat(value).isNotBlank());
  }

  @Test
  void theBootHasAnIdentityThatStays() {
    assertThat(HostEnvironment.bootId()).isNotEmpty().isEqualTo(HostEnvironment.bootId());
  }
}
