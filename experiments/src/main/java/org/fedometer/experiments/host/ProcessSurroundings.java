package org.fedometer.experiments.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Environment variables and resource limits of a process, from Linux's {@code /proc}. Omits
 * unreadable ones. Stateless.
 */
final class ProcessSurroundings {
  private static final Path PROC = Path.of("/proc");

  /** Variables that affect a program's speed or input and output; others may be secrets. */
  private static final Pattern VARIABLE =
      Pattern.compile(
          "LD_PRELOAD|LD_LIBRARY_PATH|MALLOC_\\w+|GLIBC_TUNABLES|TZ|LANG|LANGUAGE|LC_\\w+"
              + "|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|CLASSPATH|PG\\w+OPTIONS"
              + "|OMP_NUM_THREADS");

  private ProcessSurroundings() {}

  /** Returns the relevant variables by name. */
  static Map<String, String> environment(long pid) {
    Map<String, String> found = new TreeMap<>();
    for (String variable : text(pid, "environ").split("\0")) {
      int equals = variable.indexOf('=');
      if (equals > 0 && VARIABLE.matcher(variable.substring(0, equals)).matches()) {
        found.put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    return found;
  }

  /** Returns a line for each limit: name, soft limit, hard limit, unit. */
  static List<String> limits(long pid) {
    return text(pid, "limits")
        .lines()
        .skip(1)
        .map(line -> line.strip().replaceAll("\\s{2,}", "  "))
        .toList();
  }

  private static String text(long pid, String name) {
    try {
      Path file = PROC.resolve(Long.toString(pid)).resolve(name);
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      // Ended meanwhile, or another user's.
      return "";
    }
  }
}
