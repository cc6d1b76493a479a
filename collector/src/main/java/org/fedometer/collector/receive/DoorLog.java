package org.fedometer.collector.receive;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.fedometer.wire.SafeLine;

/**
 * Counts those who are hung up on, and says so in the log: the first ones of each minute one by
 * one, then only how many more there were, so that somebody who tries all doors does not fill a
 * disk. What they said themselves is escaped, and cut. On the event loop that all connections of
 * its door share.
 */
public final class DoorLog {
  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_LINES_A_MINUTE = 20;
  private static final int MOST_CHARACTERS = 400;

  private final Refusals refusals;
  private final int mostLines;
  private final Consumer<String> log;
  private final LongSupplier nanoTime;
  private long windowStartNanos;
  private int written;
  private long leftOut;
  private String lastLeftOut = "";

  /**
   * @param refusals counts them all
   * @param mostLines in a minute, the one that sums up not counted
   * @param log gets each line
   * @param nanoTime as {@link System#nanoTime()}
   */
  DoorLog(Refusals refusals, int mostLines, Consumer<String> log, LongSupplier nanoTime) {
    this.refusals = refusals;
    this.mostLines = mostLines;
    this.log = log;
    this.nanoTime = nanoTime;
    this.windowStartNanos = nanoTime.getAsLong();
  }

  /**
   * Of one door.
   *
   * @param refusals counts them all, those of other doors, too
   * @param log gets each line
   */
  public static DoorLog of(Refusals refusals, Consumer<String> log) {
    return new DoorLog(refusals, MOST_LINES_A_MINUTE, log, System::nanoTime);
  }

  /**
   * @param kind of the reason
   * @param peer address of whom it is about
   * @param reason why
   */
  public void say(Refusals.Reason kind, String peer, String reason) {
    refusals.count(kind);
    write("Refused " + peer + ": " + reason);
  }

  /**
   * Says something of one who is not hung up on.
   *
   * @param peer address of whom it is about
   */
  void remark(String peer, String remark) {
    write(peer + ": " + remark);
  }

  private void write(String text) {
    tick();
    String line = SafeLine.of(text);
    if (line.length() > MOST_CHARACTERS) {
      line = line.substring(0, MOST_CHARACTERS) + "...";
    }
    if (written < mostLines) {
      written++;
      log.accept(line);
    } else {
      leftOut++;
      lastLeftOut = line;
    }
  }

  /** To be called regularly: says what was left out when the minute is over. */
  public void tick() {
    long now = nanoTime.getAsLong();
    if (now - windowStartNanos < WINDOW_NANOS) {
      return;
    }
    windowStartNanos = now;
    written = 0;
    if (leftOut > 0) {
      log.accept(leftOut + " more lines like that in a minute; the last: " + lastLeftOut);
      leftOut = 0;
    }
  }
}
