package org.fedometer.experiments.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessSurroundingsTest {

  @Test
  void recordsRelevantVariablesOnly() throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sleep", "600");
    builder.environment().put("TZ", "Europe/Berlin");
    builder.environment().put("LC_TIME", "C");
    builder.environment().put("MALLOC_ARENA_MAX", "2");
    builder.environment().put("FEDOMETER_TOKEN", "Secret1");
    Process sleep = builder.start();
    try {
      assertThat(ProcessSurroundings.environment(sleep.pid()))
          .containsEntry("TZ", "Europe/Berlin")
          .containsEntry("LC_TIME", "C")
          .containsEntry("MALLOC_ARENA_MAX", "2")
          .doesNotContainKey("FEDOMETER_TOKEN")
          .doesNotContainKey("PATH");
      assertThat(ProcessSurroundings.limits(sleep.pid()))
          .anyMatch(limit -> limit.matches("Max open files  \\d+  \\d+  files"));
    } finally {
      sleep.destroyForcibly().waitFor();
    }
    assertThat(ProcessSurroundings.environment(sleep.pid())).isEmpty();
    assertThat(ProcessSurroundings.limits(sleep.pid())).isEmpty();
  }
}
