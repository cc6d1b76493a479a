package ch.qos.logback.classic;

/** Stand-in with the name and shape of logback's, for the agent to read. */
public enum Level {
  INFO(20_000),
  WARN(30_000);

  private final int number;

  Level(int number) {
    this.number = number;
  }

  public int toInt() {
    return number;
  }
}
