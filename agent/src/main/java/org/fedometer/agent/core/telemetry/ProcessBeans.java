package org.fedometer.agent.core.telemetry;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.fedometer.agent.core.ship.TelemetrySink;

/**
 * Processor time and open files, from beans that not every JVM has: the constructor then throws a
 * {@link LinkageError} or a {@link ClassCastException}. Telemetry thread only.
 */
final class ProcessBeans {

  private final OperatingSystemMXBean process =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Null on Windows. */
  private final UnixOperatingSystemMXBean unix =
      process instanceof UnixOperatingSystemMXBean ? (UnixOperatingSystemMXBean) process : null;

  void read(long atNanos, TelemetrySink sink) {
    JvmBeans.add(
        atNanos,
        sink,
        "jvm.cpu.time",
        "s",
        process.getProcessCpuTime() / (double) TimeUnit.SECONDS.toNanos(1));
    JvmBeans.add(atNanos, sink, "jvm.cpu.recent_utilization", "1", process.getProcessCpuLoad());
    JvmBeans.add(atNanos, sink, "jvm.system.cpu.utilization", "1", process.getSystemCpuLoad());
    if (unix != null) {
      long open = unix.getOpenFileDescriptorCount();
      JvmBeans.add(atNanos, sink, "jvm.file_descriptor.count", "{file_descriptor}", open);
      long limit = unix.getMaxFileDescriptorCount();
      JvmBeans.add(atNanos, sink, "jvm.file_descriptor.limit", "{file_descriptor}", limit);
    }
  }
}
