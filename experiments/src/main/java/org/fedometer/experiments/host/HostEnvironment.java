package org.fedometer.experiments.host;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.store.DiskSpace;
import org.fedometer.wire.HostBoot;

/**
 * Facts about the machine of a run, from Linux's {@code /proc} if possible. Unreadable facts are
 * omitted, never guessed.
 */
public final class HostEnvironment {
  private static final String CPU_FREQUENCY = "/sys/devices/system/cpu/cpu0/cpufreq/";

  private HostEnvironment() {}

  /**
   * Returns facts by name, in a fixed order, which only change with the machine.
   *
   * @param work a folder on the disk that Fedora writes to; may be missing yet
   */
  public static Map<String, String> describe(Path work) {
    Map<String, String> facts = new LinkedHashMap<>();
    put(facts, "host", hostName());
    put(facts, "os.name", System.getProperty("os.name"));
    put(facts, "os.distribution", valueOf("/etc/os-release", "PRETTY_NAME", "="));
    put(facts, "os.kernel", System.getProperty("os.version"));
    put(facts, "os.arch", System.getProperty("os.arch"));
    put(facts, "cpu.model", cpuModel(lines("/proc/cpuinfo")));
    put(facts, "cpu.count", Integer.toString(Runtime.getRuntime().availableProcessors()));
    put(facts, "cpu.governor", firstLine(CPU_FREQUENCY + "scaling_governor"));
    put(facts, "cpu.driver", firstLine(CPU_FREQUENCY + "scaling_driver"));
    put(facts, "cpu.frequency.min.kHz", firstLine(CPU_FREQUENCY + "scaling_min_freq"));
    put(facts, "cpu.frequency.max.kHz", firstLine(CPU_FREQUENCY + "scaling_max_freq"));
    Map<String, String> limits = ControlGroup.limits();
    put(facts, "cpu.quota", limits.get("cpu.quota"));
    put(facts, "memory.total", valueOf("/proc/meminfo", "MemTotal", ":"));
    put(facts, "memory.limit", limits.get("memory.limit"));
    put(facts, "memory.swap", valueOf("/proc/meminfo", "SwapTotal", ":"));
    put(facts, "memory.swappiness", firstLine("/proc/sys/vm/swappiness"));
    put(facts, "memory.hugePages", firstLine("/sys/kernel/mm/transparent_hugepage/enabled"));
    put(
        facts,
        "clock.source",
        firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
    Disk.of(work).forEach((name, value) -> put(facts, "disk." + name, value));
    put(facts, "driver.java.version", System.getProperty("java.vm.version"));
    put(facts, "driver.java.vendor", System.getProperty("java.vendor"));
    return facts;
  }

  /** Returns facts that change from moment to moment. */
  public static Map<String, String> now(Path work) {
    Map<String, String> facts = new LinkedHashMap<>();
    put(facts, "cpu.frequency.MHz", valueOf("/proc/cpuinfo", "cpu MHz", ":"));
    put(facts, "memory.available", valueOf("/proc/meminfo", "MemAvailable", ":"));
    put(facts, "memory.swapFree", valueOf("/proc/meminfo", "SwapFree", ":"));
    put(facts, "load.average", firstLine("/proc/loadavg"));
    put(
        facts,
        "disk.usableBytes",
        Long.toString(DiskSpace.existing(work).toFile().getUsableSpace()));
    return facts;
  }

  /**
   * Returns the id of the host's current boot: readings of {@code System.nanoTime()} compare within
   * one boot only. Empty if unknown.
   */
  public static String bootId() {
    return HostBoot.ID;
  }

  private static void put(Map<String, String> facts, String name, String value) {
    if (value != null && !value.isBlank()) {
      facts.put(name, value);
    }
  }

  /** Returns the name as recorded. */
  public static String hostName() {
    String name = firstLine("/proc/sys/kernel/hostname");
    return name != null ? name : InetAddress.getLoopbackAddress().getHostName();
  }

  /** Returns a processor's name or, on ARM, its implementer and part numbers. */
  static String cpuModel(List<String> cpuinfo) {
    String name = valueOf(cpuinfo, "model name", ":");
    if (name != null) {
      return name;
    }
    String maker = valueOf(cpuinfo, "CPU implementer", ":");
    String design = valueOf(cpuinfo, "CPU part", ":");
    String revision = valueOf(cpuinfo, "CPU variant", ":");
    return maker == null || design == null
        ? valueOf(cpuinfo, "Hardware", ":")
        : "implementer " + maker + ", part " + design + ", variant " + revision;
  }

  private static String firstLine(String file) {
    return lines(file).stream().findFirst().map(String::strip).orElse(null);
  }

  /** Returns the machine's memory; 0 if not visible. */
  static long memoryBytes() {
    String total = valueOf("/proc/meminfo", "MemTotal", ":");
    return total == null ? 0 : Long.parseLong(total.replaceAll("\\D", "")) << 10; // kB
  }

  private static String valueOf(String file, String key, String separator) {
    return valueOf(lines(file), key, separator);
  }

  private static String valueOf(List<String> lines, String key, String separator) {
    return lines.stream()
        .filter(line -> line.startsWith(key))
        .filter(line -> line.contains(separator))
        .map(line -> line.substring(line.indexOf(separator) + 1).strip().replace("\"", ""))
        .findFirst()
        .orElse(null);
  }

  private static List<String> lines(String file) {
    try {
      return Files.readString(Path.of(file)).lines().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
