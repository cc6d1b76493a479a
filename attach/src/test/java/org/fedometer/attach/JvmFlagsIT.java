package org.fedometer.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmFlagsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @TempDir private Path folder;

  @Test
  void reportsCommandLineAndErgonomicFlags() throws Exception {
    try (TargetJvm jvm =
        TargetJvm.start(folder, List.of(), Map.of(), List.of("-XX:MaxTenuringThreshold=3"))) {
      List<String> flags = JvmFlags.of(jvm.pid(), TIMEOUT);

      assertThat(flags)
          .contains("-XX:MaxTenuringThreshold=3", "-XX:+UseSerialGC", "-XX:MaxHeapSize=33554432")
          .allMatch(flag -> flag.startsWith("-XX:"))
          .isSorted();
      assertThat(JvmFlags.of(jvm.pid(), TIMEOUT)).isEqualTo(flags);
    }
  }

  @Test
  void reportsAJvmThatDisablesAttach() throws Exception {
    try (TargetJvm jvm =
        TargetJvm.start(folder, List.of(), Map.of(), List.of("-XX:+DisableAttachMechanism"))) {
      assertThatThrownBy(() -> JvmFlags.of(jvm.pid(), Duration.ofSeconds(1)))
          .isInstanceOf(IOException.class);
      assertThat(jvm.isAlive()).isTrue();
    }
  }

  @Test
  void valuesMayHoldBlanks() {
    assertThat(JvmFlags.parse("-XX:ErrorFile=/a b/c -XX:+UseG1GC\n"))
        .containsExactly("-XX:+UseG1GC", "-XX:ErrorFile=/a b/c");
  }
}
