package org.fedometer.agent.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.client.AgentOption;

/**
 * Parsed text behind {@code -javaagent:...jar=}, or of a command through the attach mechanism:
 * {@code key=value} pairs separated by commas, {@code \,} for a comma in a value. Immutable.
 */
final class AgentArguments {

  private final Map<String, String> options = new LinkedHashMap<>();
  private final String command;
  private final String reply;
  private final String optionsDigest;

  /**
   * @param text may be {@code null}
   * @throws IllegalArgumentException with one sentence for the user
   */
  AgentArguments(String text) {
    for (String argument : split(text == null ? "" : text)) {
      int equals = argument.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "option '" + argument + "' has no value; write " + argument + "=...");
      }
      options.put(argument.substring(0, equals).trim(), argument.substring(equals + 1).trim());
    }
    this.reply = remove(AgentOption.REPLY, "");
    this.optionsDigest = remove(AgentOption.OPTIONS_DIGEST, "");
    this.command = remove(AgentOption.COMMAND, "attach");
  }

  private String remove(String name, String fallback) {
    String value = options.remove(name);
    return value == null ? fallback : value;
  }

  /** Returns the command, by default {@code attach}. */
  String command() {
    return command;
  }

  /** Returns PORT/NONCE of the tool that waits for a reply; empty if none. */
  String reply() {
    return reply;
  }

  /**
   * Returns the SHA-256, in hexadecimal digits, of the options to read from the tool instead of
   * these; empty if these are complete.
   */
  String optionsDigest() {
    return optionsDigest;
  }

  Map<String, String> options() {
    return options;
  }

  private static List<String> split(String text) {
    List<String> arguments = new ArrayList<>();
    StringBuilder argument = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\\' && at + 1 < text.length() && text.charAt(at + 1) == ',') {
        argument.append(',');
        at++;
      } else if (c == ',') {
        addTo(arguments, argument);
      } else {
        argument.append(c);
      }
    }
    addTo(arguments, argument);
    return arguments;
  }

  private static void addTo(List<String> arguments, StringBuilder argument) {
    String trimmed = argument.toString().trim();
    argument.setLength(0);
    if (!trimmed.isEmpty()) {
      arguments.add(trimmed);
    }
  }
}
