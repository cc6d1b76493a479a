package org.fedometer.collector.logs;

import java.util.List;

/** Fills in the placeholders of SLF4J messages. Stateless. */
final class Placeholders {
  private static final String PLACEHOLDER = "{}";

  private Placeholders() {}

  /**
   * Returns the message with each <code>{}</code> replaced by the next argument, while there are
   * any. A backslash before one makes it text.
   */
  static String filled(String message, List<String> arguments) {
    StringBuilder out = new StringBuilder(message.length());
    int from = 0;
    int next = 0;
    for (int at = message.indexOf(PLACEHOLDER);
        at >= 0 && next < arguments.size();
        at = message.indexOf(PLACEHOLDER, from)) {
      if (at > from && message.charAt(at - 1) == '\\') {
        out.append(message, from, at - 1).append(PLACEHOLDER);
      } else {
        out.append(message, from, at).append(arguments.get(next++));
      }
      from = at + PLACEHOLDER.length();
    }
    return out.append(message, from, message.length()).toString();
  }
}
