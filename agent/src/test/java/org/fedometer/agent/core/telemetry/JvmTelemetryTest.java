package org.fedometer.agent.core.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.agent.core.ship.TelemetrySink;
import org.junit.jupiter.api.Test;

/** Tests the test's own JVM; {@code TelemetryIT} covers a separate one. */
class JvmTelemetryTest {

  private final AgentLog log = new AgentLog();
  private final RecordingSink readings = new RecordingSink();

  @Test
  void waitsUntilFedoraHasStarted() throws Exception {
    AtomicBoolean awake = new AtomicBoolean();
    AtomicLong asked = new AtomicLong();
    JvmTelemetry telemetry =
        JvmTelemetry.begin(
            100,
            true,
            atNanos -> {},
            readings,
            log,
            () -> {
              asked.incrementAndGet();
              return awake.get();
            });
    try {
      await().until(() -> asked.get() > 2);
      assertThat(readings.values).isEmpty();
      awake.set(true);
      await().until(() -> readings.values.containsKey("jvm.memory.used.heap"));
    } finally {
      telemetry.end();
    }
  }

  @Test
  void waitsForMemoryAndEndsAllItsThreads() throws Exception {
    AtomicLong asked = new AtomicLong();
    JvmTelemetry telemetry =
        JvmTelemetry.begin(
            100,
            true,
            atNanos -> {},
            readings,
            log,
            () -> {
              if (asked.incrementAndGet() < 3) {
                throw new OutOfMemoryError("provoked");
              }
              return true;
            });
    try {
      await().until(() -> readings.values.containsKey("jvm.hiccup.max"));
    } finally {
      telemetry.end();
    }
    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("fedometer-")));
  }

  @Test
  void reportsWhenACollectionHappened() throws Exception {
    JvmTelemetry telemetry =
        JvmTelemetry.begin(100, true, atNanos -> {}, readings, log, () -> true);
    try {
      await().until(() -> readings.values.containsKey("jvm.hiccup.max"));
      List<long[]> calls = new ArrayList<>();
      // HotSpot skips a System.gc() while a thread is in a critical section of JNI.
      await()
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofSeconds(1))
          .until(
              () -> {
                long before = System.nanoTime();
                System.gc();
                calls.add(new long[] {before, System.nanoTime()});
                return readings.pauses.stream().anyMatch(pause -> pause.cause().contains("gc()"));
              });
      RecordingSink.Pause pause =
          readings.pauses.stream()
              .filter(any -> any.cause().contains("gc()"))
              .findFirst()
              .orElseThrow();
      // The JVM reports milliseconds.
      long slackNanos = TimeUnit.MILLISECONDS.toNanos(3);
      assertThat(calls)
          .anySatisfy(
              call -> {
                assertThat(pause.startNanos()).isBetween(call[0] - slackNanos, call[1]);
                assertThat(pause.startNanos() + pause.durationNanos())
                    .isBetween(call[0], call[1] + TimeUnit.SECONDS.toNanos(1));
              });
      assertThat(pause.before()).isBetween(1L << 20, 64L << 30);
    } finally {
      telemetry.end();
    }
  }

  @Test
  void withoutCollectionsListensToNone() throws Exception {
    JvmTelemetry telemetry =
        JvmTelemetry.begin(100, false, atNanos -> {}, readings, log, () -> true);
    try {
      await().until(() -> readings.values.containsKey("jvm.hiccup.max"));
      System.gc();
    } finally {
      telemetry.end();
    }
    assertThat(readings.pauses).isEmpty();
  }

  @Test
  void survivesAndLogsAnError() throws Exception {
    TelemetrySink failing =
        new TelemetrySink() {
          @Override
          public void value(long atNanos, String metric, String unit, double value) {
            if (metric.equals("jvm.memory.used.heap")) {
              throw new OutOfMemoryError("provoked");
            }
            readings.value(atNanos, metric, unit, value);
          }

          @Override
          public void pause(String a, String b, String c, long d, long e, long f, long g) {
            throw new OutOfMemoryError("provoked");
          }

          @Override
          public void flush() {
            readings.flush();
          }

          @Override
          public long droppedSinceLastCall() {
            return readings.droppedSinceLastCall();
          }
        };
    JvmTelemetry telemetry = JvmTelemetry.begin(100, true, atNanos -> {}, failing, log, () -> true);
    try {
      await().until(() -> readings.values.containsKey("jvm.hiccup.max"));
    } finally {
      telemetry.end();
    }
    assertThat(new String(log.drain(), StandardCharsets.UTF_8)).contains("provoked");
  }

  @Test
  void reportsTheAgentWithTheOthersAndTheOthersWithoutIt() throws Exception {
    AtomicLong asked = new AtomicLong();
    JvmTelemetry telemetry =
        JvmTelemetry.begin(
            100,
            true,
            atNanos -> {
              if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("provoked");
              }
              readings.value(atNanos, "of.the.agent", "By", asked.get());
            },
            readings,
            log,
            () -> true);
    try {
      await().until(() -> readings.values.containsKey("of.the.agent"));
    } finally {
      telemetry.end();
    }
    assertThat(readings.values).containsKey("jvm.hiccup.max");
    assertThat(readings.last("of.the.agent")).isGreaterThan(1);
    assertThat(new String(log.drain(), StandardCharsets.UTF_8))
        .contains("telemetry of agent")
        .contains("provoked");
  }

  @Test
  void beansOfCyclesAreNotOfPauses() {
    for (String pauses :
        new String[] {
          "G1 Young Generation",
          "G1 Old Generation",
          "G1 Concurrent GC",
          "Copy",
          "MarkSweepCompact",
          "PS Scavenge",
          "PS MarkSweep",
          "ZGC Pauses",
          "ZGC Major Pauses",
          "ZGC Minor Pauses",
          "Shenandoah Pauses"
        }) {
      assertThat(GcEvents.isOfCycles(pauses)).as(pauses).isFalse();
    }
    for (String cycles :
        new String[] {
          "ZGC", "ZGC Cycles", "ZGC Minor Cycles", "ZGC Major Cycles", "Shenandoah Cycles"
        }) {
      assertThat(GcEvents.isOfCycles(cycles)).as(cycles).isTrue();
    }
  }

  @Test
  void poolsAreOneWordEach() {
    assertThat(JvmBeans.wordOf("G1 Old Gen")).isEqualTo("g1-old-gen");
    assertThat(JvmBeans.wordOf("CodeHeap 'non-nmethods'")).isEqualTo("codeheap-non-nmethods");
    assertThat(JvmBeans.wordOf("TIMED_WAITING")).isEqualTo("timed-waiting");
  }
}
