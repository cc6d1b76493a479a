package org.fedometer.aspects.recorder;

/**
 * A line of Fedora's log, taken down on the thread that logs it: texts, and nothing of Fedora's
 * that the agent would hold on to. Immutable.
 */
public final class LogLine {

  /** Longer messages are cut. */
  public static final int MESSAGE_LIMIT = 16 * 1024;

  /** Longer names are cut. */
  public static final int NAME_LIMIT = 1024;

  /** A frame of a stack trace, made into text, as characters. */
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
   * @param level as log4j and logback number them, {@link FedoraLog#WARN} for example
   * @param traceId of the request that the thread is in, 0 if none
   * @param thrown {@code null} if nothing was
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

  /** What it holds, about; names of loggers and threads are others' too. */
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

  /** Stack trace as text, empty if nothing was thrown; made when it is asked for. */
  public String stackTrace() {
    return thrown == null ? "" : thrown.stackTrace();
  }

  /** An exception without itself: what it says, and where it came from. Immutable. */
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
     * @param thrown {@code null} gives {@code null}
     */
    public static Thrown of(Throwable thrown) {
      return of(thrown, CAUSE_LIMIT);
    }

    /** An exception's own methods may throw: the line that it came with counts more. */
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
        // An Error, too, as of a webapp that is half gone.
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

    /** As a stack trace is printed. */
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
