package org.fedometer.collector.logs;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.wire.record.LogEncoder;

/**
 * An exception assembled from parts, formatted as {@code Throwable.printStackTrace} does. One
 * thread.
 */
final class StackTrace {
  String type = "";
  String message;

  /** The whole text if it arrived as one, which replaces all parts. */
  String text = "";

  int commonFrames;
  StackTrace cause;
  final List<StackTrace> suppressed = new ArrayList<>();
  private final List<String> frames = new ArrayList<>();

  void add(Frame frame) {
    frames.add(frame.toString());
  }

  static final class Frame {
    String type = "";
    String method = "";
    String file;
    String line = "";
    String location = "?";
    String version = "?";
    boolean exact = true;

    @Override
    public String toString() {
      StringBuilder out = new StringBuilder(type).append('.').append(method).append('(');
      if (line.equals("-2")) {
        out.append("Native Method");
      } else if (file == null || file.isEmpty()) {
        out.append("Unknown Source");
      } else {
        out.append(file);
        if (!line.isEmpty() && !line.startsWith("-")) {
          out.append(':').append(line);
        }
      }
      out.append(')');
      if (!location.equals("?") || !version.equals("?")) {
        out.append(exact ? " [" : " ~[").append(location).append(':').append(version).append(']');
      }
      return out.toString();
    }
  }

  /** Formats the stack trace; stops early, since longer texts are cut when stored. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    appendTo(out, "", "");
    return out.toString();
  }

  private void appendTo(StringBuilder out, String caption, String indent) {
    if (out.length() > LogEncoder.MAX_THROWN_BYTES) {
      return;
    }
    if (!out.isEmpty()) {
      out.append('\n');
    }
    out.append(indent).append(caption);
    if (!text.isEmpty()) {
      out.append(text.strip());
      return;
    }
    out.append(type);
    if (message != null && !message.isEmpty()) {
      out.append(type.isEmpty() ? "" : ": ").append(message);
    }
    for (String frame : frames) {
      if (out.length() > LogEncoder.MAX_THROWN_BYTES) {
        return;
      }
      out.append('\n').append(indent).append("\tat ").append(frame);
    }
    if (commonFrames > 0) {
      out.append('\n').append(indent).append("\t... ").append(commonFrames).append(" more");
    }
    for (StackTrace other : suppressed) {
      other.appendTo(out, "Suppressed: ", indent + "\t");
    }
    if (cause != null) {
      cause.appendTo(out, "Caused by: ", indent);
    }
  }
}
