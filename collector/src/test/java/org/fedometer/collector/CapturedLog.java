package org.fedometer.collector;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Captures this process's log. */
public final class CapturedLog {
  private CapturedLog() {}

  /** Something that logs. */
  public interface Work {
    void run() throws Exception;
  }

  /** All lines of standard error while the work is done. */
  public static String during(Work work) throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8);
  }
}
