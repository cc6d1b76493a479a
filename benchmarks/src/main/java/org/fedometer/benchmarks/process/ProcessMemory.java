package org.fedometer.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the operating system says of this process. */
public final class ProcessMemory {
  private ProcessMemory() {}

  /** The line {@code peak N kB}: the most physical memory that it has had. */
  public static String peak() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return "peak " + line.substring("VmHWM:".length()).strip();
      }
    }
    return "peak 0 kB";
  }
}
