package org.fedometer.agent.core.telemetry;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.agent.core.ship.TelemetrySink;
import org.fedometer.agent.core.threads.AllThreads;

/**
 * Counters of the JVM's management beans, with OpenTelemetry's names where they exist; an attribute
 * becomes the name's last part. Telemetry thread only.
 */
final class JvmBeans {

  private static final String BYTES = "By";
  private static final String SECONDS = "s";
  private static final double MILLIS_IN_SECOND = 1e3;

  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
  private final OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();

  /** Null if the JVM only interprets. */
  private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();

  /** By the last part of their metrics' names, which are created once. */
  private final Map<String, MemoryPoolMXBean> pools = new LinkedHashMap<>();

  private final Map<String, GarbageCollectorMXBean> collectors = new LinkedHashMap<>();
  private final Map<String, BufferPoolMXBean> buffers = new LinkedHashMap<>();

  JvmBeans() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      pools.put(".pool." + wordOf(pool.getName()), pool);
    }
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collectors.put("." + wordOf(collector.getName()), collector);
    }
    for (BufferPoolMXBean buffer : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      buffers.put("." + wordOf(buffer.getName()), buffer);
    }
  }

  /** Turns {@code CodeHeap 'non-nmethods'} into {@code codeheap-non-nmethods}. */
  static String wordOf(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
  }

  void read(long atNanos, TelemetrySink sink) {
    readMemory(atNanos, sink);
    for (Map.Entry<String, GarbageCollectorMXBean> entry : collectors.entrySet()) {
      GarbageCollectorMXBean bean = entry.getValue();
      add(
          atNanos,
          sink,
          "jvm.gc.count" + entry.getKey(),
          "{collection}",
          bean.getCollectionCount());
      add(
          atNanos,
          sink,
          "jvm.gc.time" + entry.getKey(),
          SECONDS,
          bean.getCollectionTime() / MILLIS_IN_SECOND);
    }
    readThreads(atNanos, sink);
    sink.value(atNanos, "jvm.class.loaded", "{class}", classes.getTotalLoadedClassCount());
    sink.value(atNanos, "jvm.class.unloaded", "{class}", classes.getUnloadedClassCount());
    sink.value(atNanos, "jvm.class.count", "{class}", classes.getLoadedClassCount());
    if (compiler != null && compiler.isCompilationTimeMonitoringSupported()) {
      sink.value(
          atNanos,
          "jvm.compilation.time",
          SECONDS,
          compiler.getTotalCompilationTime() / MILLIS_IN_SECOND);
    }
    sink.value(atNanos, "jvm.cpu.count", "{cpu}", system.getAvailableProcessors());
    add(atNanos, sink, "jvm.system.cpu.load_1m", "{run_queue_item}", system.getSystemLoadAverage());
  }

  private void readMemory(long atNanos, TelemetrySink sink) {
    addUse(atNanos, sink, ".heap", memory.getHeapMemoryUsage());
    addUse(atNanos, sink, ".non-heap", memory.getNonHeapMemoryUsage());
    long codeUsed = 0;
    long codeLimit = 0;
    for (Map.Entry<String, MemoryPoolMXBean> entry : pools.entrySet()) {
      MemoryPoolMXBean pool = entry.getValue();
      MemoryUsage use = pool.getUsage();
      if (use == null) {
        continue;
      }
      addUse(atNanos, sink, entry.getKey(), use);
      MemoryUsage afterCollection =
          pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
      if (afterCollection != null) {
        sink.value(
            atNanos,
            "jvm.memory.used_after_last_gc" + entry.getKey(),
            BYTES,
            afterCollection.getUsed());
      }
      if (pool.getName().startsWith("Code")) {
        codeUsed += use.getUsed();
        codeLimit += Math.max(0, use.getMax());
      }
    }
    sink.value(atNanos, "jvm.code_cache.used", BYTES, codeUsed);
    sink.value(atNanos, "jvm.code_cache.limit", BYTES, codeLimit);
    for (Map.Entry<String, BufferPoolMXBean> entry : buffers.entrySet()) {
      add(
          atNanos,
          sink,
          "jvm.buffer.memory.used" + entry.getKey(),
          BYTES,
          entry.getValue().getMemoryUsed());
    }
  }

  private static void addUse(long atNanos, TelemetrySink sink, String of, MemoryUsage use) {
    sink.value(atNanos, "jvm.memory.used" + of, BYTES, use.getUsed());
    sink.value(atNanos, "jvm.memory.committed" + of, BYTES, use.getCommitted());
    add(atNanos, sink, "jvm.memory.limit" + of, BYTES, use.getMax());
  }

  private void readThreads(long atNanos, TelemetrySink sink) {
    sink.value(atNanos, "jvm.thread.count", "{thread}", threads.getThreadCount());
    sink.value(atNanos, "jvm.thread.daemon.count", "{thread}", threads.getDaemonThreadCount());
    sink.value(atNanos, "jvm.thread.peak", "{thread}", threads.getPeakThreadCount());
    int[] inState = new int[Thread.State.values().length];
    List<Thread> live = AllThreads.now();
    for (Thread thread : live) {
      inState[thread.getState().ordinal()]++;
    }
    for (Thread.State state : Thread.State.values()) {
      if (state != Thread.State.NEW && state != Thread.State.TERMINATED) {
        sink.value(
            atNanos,
            "jvm.thread.count." + wordOf(state.name()),
            "{thread}",
            inState[state.ordinal()]);
      }
    }
  }

  /** Skips negative values, which mean unknown. */
  static void add(long atNanos, TelemetrySink sink, String metric, String unit, double value) {
    if (value >= 0) {
      sink.value(atNanos, metric, unit, value);
    }
  }
}
