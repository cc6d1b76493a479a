package org.fedometer.experiments;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Facts about the machine that a run happens on, read from Linux's {@code /proc} where it has them.
 * A fact that cannot be read is left out, never guessed.
 */
final class HostEnvironment {
  private HostEnvironment() {}

  /**
   * Facts by name, in a fixed order.
   *
   * @param work a folder on the disk that Fedora writes to; it may still have to be made
   */
  static Map<String, String> describe(Path work) {
    Path disk = work.toAbsolutePath();
    while (!Files.exists(disk)) {
      disk = disk.getParent();
    }
    Map<String, String> facts = new LinkedHashMap<>();
    put(facts, "host", hostName());
    put(facts, "os.name", System.getProperty("os.name"));
    put(facts, "os.distribution", valueOf("/etc/os-release", "PRETTY_NAME", "="));
    put(facts, "os.kernel", System.getProperty("os.version"));
    put(facts, "os.arch", System.getProperty("os.arch"));
    put(facts, "cpu.model", valueOf("/proc/cpuinfo", "model name", ":"));
    put(facts, "cpu.count", Integer.toString(Runtime.getRuntime().availableProcessors()));
    put(facts, "memory.total", valueOf("/proc/meminfo", "MemTotal", ":"));
    put(
        facts,
        "clock.source",
        firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
    try {
      FileStore mounted = Files.getFileStore(disk);
      put(facts, "disk.filesystem", mounted.type());
      put(facts, "disk.device", mounted.name());
    } catch (IOException e) {
      // In a chroot no mount names this disk.
      put(facts, "disk.filesystem", "unknown");
    }
    put(facts, "disk.totalBytes", Long.toString(disk.toFile().getTotalSpace()));
    put(facts, "disk.usableBytes", Long.toString(disk.toFile().getUsableSpace()));
    put(facts, "driver.java.version", System.getProperty("java.vm.version"));
    put(facts, "driver.java.vendor", System.getProperty("java.vendor"));
    return facts;
  }

  /**
   * Identity of the host's present boot: readings of {@code System.nanoTime()} compare within one
   * boot only. Empty where the system does not tell.
   */
  static String bootId() {
    String id = firstLine("/proc/sys/kernel/random/boot_id");
    return id == null ? "" : id;
  }

  private static void put(Map<String, String> facts, String name, String value) {
    if (value != null && !value.isBlank()) {
      facts.put(name, value);
    }
  }

  private static String hostName() {
    String name = firstLine("/proc/sys/kernel/hostname");
    return name != null ? name : InetAddress.getLoopbackAddress().getHostName();
  }

  private static String firstLine(String file) {
    try {
      return Files.readString(Path.of(file)).lines().findFirst().map(String::strip).orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  private static String valueOf(String file, String key, String separator) {
    try {
      return Files.readString(Path.of(file))
          .lines()
          .filter(line -> line.startsWith(key))
          .filter(line -> line.contains(separator))
          .map(line -> line.substring(line.indexOf(separator) + 1).strip().replace("\"", ""))
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }
}
