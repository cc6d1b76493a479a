package org.fedometer.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/**
 * The present boot of this host: readings of {@code System.nanoTime()} compare within one boot
 * only.
 */
public final class HostBoot {
  /** As sources say it in {@code Hello.BOOT_ID}; empty where the system does not tell. */
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
