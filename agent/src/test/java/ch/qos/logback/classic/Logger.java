package ch.qos.logback.classic;

/** Stand-in with the name and shape of logback's, for the agent to weave. */
public final class Logger {

  private final String name;

  public Logger(String name) {
    this.name = name;
  }

  public void log(Level level, String message, Throwable thrown) {
    callAppenders(new LoggingEvent(level, name, message, thrown));
  }

  public void callAppenders(LoggingEvent event) {
    // Fedora's log is of no interest here.
  }

  /** Has what the agent looks for in logback's events. */
  public record LoggingEvent(Level level, String logger, String message, Throwable thrown) {
    public Level getLevel() {
      return level;
    }

    public String getLoggerName() {
      return logger;
    }

    public String getFormattedMessage() {
      return message;
    }

    public ThrowableProxy getThrowableProxy() {
      return thrown == null ? null : new ThrowableProxy(thrown);
    }
  }

  /** Likewise. */
  public record ThrowableProxy(Throwable throwable) {
    public Throwable getThrowable() {
      return throwable;
    }
  }
}
