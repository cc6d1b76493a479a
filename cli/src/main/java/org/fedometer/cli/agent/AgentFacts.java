package org.fedometer.cli.agent;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.fedometer.wire.session.AgentReport;

/**
 * Facts reported by an agent, as text and for {@code --json}; missing ones are {@code -}.
 *
 * @param facts by the names of {@link AgentReport}
 */
public record AgentFacts(Map<String, String> facts) {
  private static final double MEBIBYTE = 1 << 20;

  String text(String name) {
    String value = facts.getOrDefault(name, "");
    return value.isEmpty() ? "-" : value;
  }

  String connected() {
    return switch (text(AgentReport.CONNECTED)) {
      case "true" -> "yes";
      case "false" -> "no";
      default -> "-";
    };
  }

  /** Returns, for example, {@code 3.2 of 32.0 MiB}. */
  String memory() {
    return facts.containsKey(AgentReport.MEMORY_BYTES)
        ? mebibytes(AgentReport.MEMORY_BYTES)
            + " of "
            + mebibytes(AgentReport.MEMORY_LIMIT_BYTES)
            + " MiB"
        : "-";
  }

  String mebibytes(String name) {
    try {
      return String.format(Locale.ROOT, "%.1f", Long.parseLong(text(name)) / MEBIBYTE);
    } catch (NumberFormatException e) {
      return "-";
    }
  }

  /** Returns a sentence on threads that are not recorded; empty if there are none. */
  String refusedThreadsText() {
    String refused = facts.getOrDefault(AgentReport.THREADS_REFUSED, "0");
    return refused.equals("0")
        ? ""
        : refused + " threads are not recorded, as the memory limit is reached";
  }

  public String collectorText() {
    String description =
        ("log4j2".equals(facts.get(AgentReport.TRANSPORT)) ? "receiver " : "collector ")
            + text(AgentReport.COLLECTOR)
            + ("yes".equals(connected()) ? ", connected" : ", not connected");
    if (facts.containsKey(AgentReport.RUN_NAME) && "yes".equals(connected())) {
      description += ", run " + text(AgentReport.RUN_NAME);
    }
    String error = facts.getOrDefault(AgentReport.CONNECTION_ERROR, "");
    if (!"yes".equals(connected()) && !error.isEmpty()) {
      description += ": " + error;
    }
    String spoolError = facts.getOrDefault(AgentReport.SPOOL_ERROR, "");
    return spoolError.isEmpty() ? description : description + "; the spool fails: " + spoolError;
  }

  /** Returns fields with JSON names: {@code memoryBytes} for {@code memory-bytes}. */
  Map<String, Object> json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    facts.forEach((name, value) -> fields.put(camelCase(name), typed(value)));
    return fields;
  }

  /** Formats {@code 45 s}, {@code 12 min}, {@code 3 h 20 min}, {@code 2 d 5 h}. */
  static String age(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 60) {
      return seconds + " s";
    } else if (seconds < 3600) {
      return seconds / 60 + " min";
    } else if (seconds < 86_400) {
      return seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
    }
    return seconds / 86_400 + " d " + seconds % 86_400 / 3600 + " h";
  }

  /** Returns the age of the agent's current options: {@code 2 min ago}. */
  String startedAgo() {
    try {
      return age(Duration.between(Instant.parse(text(AgentReport.SINCE)), Instant.now())) + " ago";
    } catch (DateTimeParseException e) {
      return "-";
    }
  }

  private static String camelCase(String name) {
    StringBuilder camel = new StringBuilder();
    for (String part : name.split("-")) {
      camel.append(
          camel.length() == 0 || part.isEmpty()
              ? part
              : part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1));
    }
    return camel.toString();
  }

  private static Object typed(String value) {
    if (value.equals("true") || value.equals("false")) {
      return Boolean.valueOf(value);
    }
    return value.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(value) : value;
  }
}
