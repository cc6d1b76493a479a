package org.fedometer.collector.dashboard;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The metrics a dashboard shows, out of all that sources send. */
enum Metric {
  FEDORA_CPU("fedora.process.cpu.time", Kind.COUNTER, "cores"),
  DATABASE_CPU("database.process.cpu.time", Kind.COUNTER, "cores"),
  DRIVER_CPU("driver.process.cpu.time", Kind.COUNTER, "cores"),
  JVM_CPU("jvm.cpu.time", Kind.COUNTER, "cores"),
  MACHINE_CPU("jvm.system.cpu.utilization", Kind.GAUGE, "1"),
  HEAP_USED("jvm.memory.used.heap", Kind.GAUGE, "By"),
  HEAP_LIMIT("jvm.memory.limit.heap", Kind.GAUGE, "By"),
  FEDORA_MEMORY("fedora.process.memory.usage", Kind.GAUGE, "By"),
  DATABASE_MEMORY("database.process.memory.usage", Kind.GAUGE, "By"),
  DRIVER_MEMORY("driver.process.memory.usage", Kind.GAUGE, "By"),
  THREADS("jvm.thread.count", Kind.GAUGE, "{thread}"),
  DISK_WRITTEN("system.disk.written", Kind.COUNTER, "By/s"),
  DISK_READ("system.disk.read", Kind.COUNTER, "By/s"),
  DISK_FREE("fedora.home.disk.free", Kind.GAUGE, "By"),
  HICCUP("jvm.hiccup.max", Kind.MAXIMUM, "s"),
  AGENT_MEMORY("fedometer.agent.memory.usage", Kind.FACT, "By"),
  AGENT_MEMORY_LIMIT("fedometer.agent.memory.limit", Kind.FACT, "By"),
  STAGES_WOVEN("fedometer.agent.stages.woven", Kind.FACT, "{stage}"),
  STAGES_PLANNED("fedometer.agent.stages", Kind.FACT, "{stage}");

  private static final Map<String, Metric> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(Metric::id, Function.identity()));

  private final String id;
  private final Kind kind;
  private final String unit;

  /** How readings are aggregated. */
  enum Kind {
    /** Mean. */
    GAUGE,
    /** Increase per second. */
    COUNTER,
    /** Maximum. */
    MAXIMUM,
    /** The newest value of each source, without a timeline. */
    FACT
  }

  Metric(String id, Kind kind, String unit) {
    this.id = id;
    this.kind = kind;
    this.unit = unit;
  }

  /** Returns the name that sources use. */
  String id() {
    return id;
  }

  Kind kind() {
    return kind;
  }

  /** Returns the unit of displayed values. */
  String unit() {
    return unit;
  }

  /** Returns null for a metric that is not shown. */
  static Metric of(String name) {
    return BY_NAME.get(name);
  }
}
