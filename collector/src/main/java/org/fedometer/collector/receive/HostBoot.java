package org.fedometer.collector.receive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The present boot of this host: sources of the same one have the collector's clocks. */
public final class HostBoot {
  /** As sources say it in their attribute {@code bootId}; empty where it cannot be known. */
  public static final String ID = read();

  private HostBoot() {}

  private static String read() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException unknown) {
      return "";
    }
  }
}
