package org.fedometer.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/**
 * The current boot of this host. Readings of {@code System.nanoTime()} compare within one boot
 * only.
 */
public final class HostBoot {
  /** Value of {@code Hello.BOOT_ID}; empty if the system provides none. */
  public static final String ID = read();

  private HostBoot() {}

  private static String read() {
    try {
      byte[] id = Files.readAllBytes(Paths.get("/proc/sys/kernel/random/boot_id"));
      return new String(id, StandardCharsets.US_ASCII).trim();
    } catch (IOException unknown) {
      return "";
    }
  }
}
