package org.fedometer.aspects.recorder;

/**
 * A line of Fedora's log, captured on the logging thread as text. Retains no objects of Fedora.
 * Immutable.
 */
public final class LogLine {

  /** Longer messages are truncated. */
  public static final int MESSAGE_LIMIT = 16 * 1024;

  /** Longer names are truncated. */
  public static final int NAME_LIMIT = 1024;

  /** Estimated length of a formatted stack frame. */
  private static final int FRAME_CHARACTERS = 100;

  private final long atNanos;
  private final int level;
  private final long traceId;
  private final String logger;
  private final String thread;
  private final String message;
  private final Thrown thrown;

  /**
   * @param atNanos reading of {@code System.nanoTime()}
   * @param level as log4j and logback number them, such as {@link FedoraLog#WARN}
   * @param traceId the thread's request, 0 if none
   * @param thrown {@code null} if none
   */
  public LogLine(
      long atNanos,
      int level,
      long traceId,
      String logger,
      String thread,
      String message,
      Thrown thrown) {
    this.atNanos = atNanos;
    this.level = level;
    this.traceId = traceId;
    this.logger = cut(logger, NAME_LIMIT);
    this.thread = cut(thread, NAME_LIMIT);
    this.message = cut(message, MESSAGE_LIMIT);
    this.thrown = thrown;
  }

  static String cut(String text, int limit) {
    return text == null ? "" : text.length() <= limit ? text : text.substring(0, limit);
  }

  /** Returns its approximate size, without the shared names of loggers and threads. */
  int characters() {
    int characters = message.length();
    for (Thrown next = thrown; next != null; next = next.cause) {
      characters += next.description.length() + FRAME_CHARACTERS * next.frames.length;
    }
    return characters;
  }

  public long atNanos() {
    return atNanos;
  }

  public int level() {
    return level;
  }

  public long traceId() {
    return traceId;
  }

  public String logger() {
    return logger;
  }

  public String thread() {
    return thread;
  }

  public String message() {
    return message;
  }

  /** Returns the stack trace, empty if there is no exception; formatted on each call. */
  public String stackTrace() {
    return thrown == null ? "" : thrown.stackTrace();
  }

  /** Text and stack frames of an exception, without the exception. Immutable. */
  public static final class Thrown {

    private static final int CAUSE_LIMIT = 8;
    private static final int FRAME_LIMIT = 100;
    private static final int DESCRIPTION_LIMIT = 4 * 1024;

    private final String description;
    private final StackTraceElement[] frames;
    private final int framesOmitted;
    private final Thrown cause;

    private Thrown(
        String description, StackTraceElement[] frames, int framesOmitted, Thrown cause) {
      this.description = description;
      this.frames = frames;
      this.framesOmitted = framesOmitted;
      this.cause = cause;
    }

    /**
     * @param thrown {@code null} returns {@code null}
     */
    public static Thrown of(Throwable thrown) {
      return of(thrown, CAUSE_LIMIT);
    }

    /** Survives an exception whose own methods throw, so that its log line is kept. */
    private static Thrown of(Throwable thrown, int causesLeft) {
      if (thrown == null || causesLeft == 0) {
        return null;
      }
      try {
        StackTraceElement[] all = thrown.getStackTrace();
        int count = Math.min(FRAME_LIMIT, all.length);
        StackTraceElement[] frames = new StackTraceElement[count];
        System.arraycopy(all, 0, frames, 0, count);
        return new Thrown(
            cut(thrown.toString(), DESCRIPTION_LIMIT),
            frames,
            all.length - count,
            of(thrown.getCause(), causesLeft - 1));
      } catch (Throwable unreadable) {
        // Also an Error, as from a partly unloaded web application.
        return new Thrown(thrown.getClass().getName(), new StackTraceElement[0], 0, null);
      }
    }

    public String description() {
      return description;
    }

    public Thrown rootCause() {
      Thrown root = this;
      while (root.cause != null) {
        root = root.cause;
      }
      return root;
    }

    /** Returns the text of a printed stack trace. */
    public String stackTrace() {
      StringBuilder text = new StringBuilder();
      for (Thrown next = this; next != null; next = next.cause) {
        text.append(next == this ? "" : "Caused by: ").append(next.description).append('\n');
        for (StackTraceElement frame : next.frames) {
          text.append("\tat ").append(frame).append('\n');
        }
        if (next.framesOmitted > 0) {
          text.append("\t... ").append(next.framesOmitted).append(" more\n");
        }
      }
      text.setLength(text.length() - 1);
      return text.toString();
    }
  }
}
