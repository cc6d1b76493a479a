package org.fedometer.collector.receive;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.fedometer.wire.Counted;
import org.fedometer.wire.SafeLine;

/**
 * Counts those who are hung up on, and says so in the log: the first ones of each minute one by
 * one, and the first of each host; then only how many more there were, so that a scanner does not
 * fill a disk. What they said themselves is escaped, and cut. On the event loop that all
 * connections of its door share.
 */
public final class RefusalLog {
  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MAX_LINES_PER_MINUTE = 20;
  private static final int MAX_LINE_CHARACTERS = 400;

  /** Of so many hosts the first line in a minute is written in any case. */
  private static final int MAX_HOSTS_PER_MINUTE = 100;

  private final Refusals refusals;
  private final int maxLines;
  private final Consumer<String> log;
  private final LongSupplier nanoTime;
  private long windowStartNanos;
  private int written;
  private final Set<String> seen = new HashSet<>();
  private long suppressed;
  private String lastSuppressed = "";

  /**
   * @param refusals counts them all
   * @param maxLines in a minute, the one that sums up not counted
   * @param nanoTime as {@link System#nanoTime()}
   */
  RefusalLog(Refusals refusals, int maxLines, Consumer<String> log, LongSupplier nanoTime) {
    this.refusals = refusals;
    this.maxLines = maxLines;
    this.log = log;
    this.nanoTime = nanoTime;
    this.windowStartNanos = nanoTime.getAsLong();
  }

  /** Of one door; the refusals may be those of other doors, too. */
  public static RefusalLog of(Refusals refusals, Consumer<String> log) {
    return new RefusalLog(refusals, MAX_LINES_PER_MINUTE, log, System::nanoTime);
  }

  public void logRefusal(Refusals.Reason kind, String peer, String reason) {
    refusals.count(kind);
    write(kind + hostOf(peer), "Refused " + peer + ": " + reason);
  }

  /** Says something of one who is not hung up on. */
  void logRemark(String peer, String remark) {
    write(hostOf(peer), peer + ": " + remark);
  }

  private static String hostOf(String peer) {
    int port = peer.lastIndexOf(':');
    return port < 0 ? peer : peer.substring(0, port);
  }

  /**
   * {@code about} is whom and what: the first line of each in a minute is written though others
   * have filled that minute.
   */
  private void write(String key, String text) {
    tick();
    String line = SafeLine.of(text);
    if (line.length() > MAX_LINE_CHARACTERS) {
      line = line.substring(0, MAX_LINE_CHARACTERS) + "...";
    }
    boolean first = seen.size() < MAX_HOSTS_PER_MINUTE && seen.add(key);
    if (first || written < maxLines) {
      written++;
      log.accept(line);
    } else {
      suppressed++;
      lastSuppressed = line;
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
    seen.clear();
    if (suppressed > 0) {
      log.accept(
          Counted.of(suppressed, "more line")
              + " like that in a minute; the last: "
              + lastSuppressed);
      suppressed = 0;
    }
  }
}
