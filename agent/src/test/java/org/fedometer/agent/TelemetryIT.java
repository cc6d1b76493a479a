package org.fedometer.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.agent.ScriptedCollector.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the agent's telemetry of its JVM. */
class TelemetryIT {

  @TempDir Path folder;

  @Test
  void readsTheJvmFromItsStartToItsEnd() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector(0);
        AgentJvm fedora =
            AgentJvm.start(
                folder,
                "=telemetry-interval=0.1,collector=" + collector.address(),
                Map.of(),
                "-Dfedora.home=" + folder)) {
      assertThat(fedora.send("ingest 1 1")).isEqualTo("done");
      fedora.awaitUntil(() -> has(collector, "fedora.home.disk.free"));
      // HotSpot skips a System.gc() while a thread is in a critical section of JNI.
      fedora.awaitUntil(
          () -> {
            fedora.send("collect");
            return List.copyOf(collector.collections).stream()
                .anyMatch(collection -> collection.cause().equals("System.gc()"));
          });
      AgentJvm.Outcome outcome = fedora.end();

      assertThat(outcome.err()).isEmpty();
      assertThat(collector.fault).isNull();
      Map<String, Double> last = new TreeMap<>();
      collector.readings.forEach(reading -> last.put(reading.metric(), reading.value()));
      double heap = last.get("jvm.memory.used.heap");
      assertThat(heap).isBetween(1e5, last.get("jvm.memory.committed.heap"));
      assertThat(last.get("jvm.memory.limit.heap")).isBetween(heap, 128 * 1024 * 1024.0);
      assertThat(
              last.entrySet().stream()
                  .filter(entry -> entry.getKey().startsWith("jvm.memory.used.pool."))
                  .mapToDouble(Map.Entry::getValue)
                  .sum())
          .isBetween(heap * 0.5, (heap + last.get("jvm.memory.used.non-heap")) * 2);
      assertThat(last.get("jvm.cpu.time")).isBetween(0.1, 600.0);
      assertThat(last.get("jvm.cpu.count")).isEqualTo(Runtime.getRuntime().availableProcessors());
      assertThat(last.get("jvm.thread.count")).isBetween(5.0, 100.0);
      assertThat(last.get("jvm.thread.peak")).isGreaterThanOrEqualTo(last.get("jvm.thread.count"));
      assertThat(last.get("jvm.thread.count.runnable")).isPositive();
      assertThat(last.get("jvm.class.count")).isBetween(500.0, 50_000.0);
      assertThat(last.get("jvm.compilation.time")).isPositive();
      assertThat(last.get("jvm.code_cache.used")).isPositive();
      assertThat(last.get("jvm.file_descriptor.count"))
          .isBetween(3.0, last.get("jvm.file_descriptor.limit"));
      assertThat(last.get("fedora.home.disk.free"))
          .isBetween(1.0, last.get("fedora.home.disk.total"));
      assertThat(last.get("jvm.hiccup.max")).isBetween(0.0, 60.0);
      assertThat(last.get("fedometer.agent.memory.limit")).isEqualTo(32 << 20);
      assertThat(last.get("fedometer.agent.memory.usage"))
          .isBetween(1e5, last.get("fedometer.agent.memory.limit"));
      assertThat(last.get("fedometer.agent.stages.woven"))
          .isBetween(1.0, last.get("fedometer.agent.stages"));
      assertThat(last.get("jvm.hiccup.p99")).isLessThanOrEqualTo(last.get("jvm.hiccup.max"));
      assertThat(collector.collections)
          .anySatisfy(
              collection -> {
                assertThat(collection.cause()).isEqualTo("System.gc()");
                assertThat(collection.heapAfterBytes()).isBetween(1L, collection.heapBeforeBytes());
              });
    }
  }

  @Test
  void isOffOnDemandAndWhileRecordingIsPaused() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector(0);
        AgentJvm fedora = AgentJvm.start(folder, null, Map.of())) {
      Tool.command(fedora.pid(), "attach", "collector=" + collector.address(), "telemetry=off");
      assertThat(fedora.send("threads"))
          .contains("fedometer-drainer")
          .doesNotContain("fedometer-telemetry", "fedometer-hiccups", "fedometer-disk");

      Tool.command(
          fedora.pid(),
          "attach",
          "collector=" + collector.address(),
          "telemetry-interval=0.1",
          "gc-events=off");
      fedora.awaitUntil(() -> has(collector, "jvm.hiccup.max"));
      fedora.send("collect");

      Tool.command(fedora.pid(), "pause");
      fedora.awaitUntil(() -> !fedora.send("threads").matches(".*fedometer-(telemetry|hiccups).*"));
      int readings = collector.readings.size();
      Tool.command(fedora.pid(), "resume");
      fedora.awaitUntil(() -> collector.readings.size() > readings);

      Tool.command(fedora.pid(), "detach");
      assertThat(fedora.send("threads")).doesNotContain("fedometer-");
      assertThat(collector.collections).isEmpty();
    }
  }

  private static boolean has(ScriptedCollector collector, String metric) {
    assertThat(collector.fault).isNull();
    return List.copyOf(collector.readings).stream().map(Reading::metric).anyMatch(metric::equals);
  }
}
