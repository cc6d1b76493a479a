package org.fedometer.repair;

import java.io.PrintStream;

/**
 * Messages from the child to the tool, one line each, of words separated by tabs. One side writes,
 * the other reads; one thread each.
 */
public final class Pipe {

  /** Count of the objects with at least one inconsistency. */
  public static final String INCONSISTENT_OBJECTS = "inconsistentObjects";

  /** Count of those that exceed the limit, and were neither listed nor repaired. */
  public static final String UNLISTED_OBJECTS = "unlistedObjects";

  public interface Listener {
    /** Reports the current work, for users. */
    void progress(String text);

    /** Reports a number, such as that of {@code objects}. */
    void count(String name, long value);

    /** Reports noteworthy information that is no inconsistency. */
    void note(String text);

    void found(Finding finding);

    /** Reports the regular end; without it the work is incomplete. */
    void done();
  }

  private final PrintStream out;

  Pipe(PrintStream out) {
    this.out = out;
  }

  void progress(String text) {
    line("progress", text);
  }

  void count(String name, long value) {
    line("count", name, Long.toString(value));
  }

  void note(String text) {
    line("note", text);
  }

  void found(Finding finding) {
    line(
        "finding",
        finding.inconsistency().id(),
        finding.pid(),
        finding.state().name(),
        finding.text());
  }

  void done() {
    line("done");
  }

  private void line(String... fields) {
    StringBuilder line = new StringBuilder();
    for (String field : fields) {
      if (line.length() > 0) {
        line.append('\t');
      }
      line.append(field.replaceAll("\\p{Cntrl}", " "));
    }
    out.print(line.append('\n'));
    out.flush();
  }

  /**
   * @throws IllegalArgumentException if the line has another format
   */
  public static void read(String line, Listener listener) {
    String[] fields = line.split("\t", -1);
    switch (fields[0] + "/" + fields.length) {
      case "progress/2":
        listener.progress(fields[1]);
        break;
      case "count/3":
        listener.count(fields[1], Long.parseLong(fields[2]));
        break;
      case "note/2":
        listener.note(fields[1]);
        break;
      case "finding/5":
        listener.found(
            new Finding(
                Inconsistency.of(fields[1]),
                fields[2],
                Finding.State.valueOf(fields[3]),
                fields[4]));
        break;
      case "done/1":
        listener.done();
        break;
      default:
        throw new IllegalArgumentException("the line is malformed: " + line);
    }
  }
}
