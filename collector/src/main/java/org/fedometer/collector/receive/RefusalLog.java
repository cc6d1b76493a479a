package org.fedometer.collector.receive;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.fedometer.wire.Counted;
import org.fedometer.wire.SafeLine;

/**
 * Counts refused connections and logs them within a limit, so that a scanner cannot fill the disk.
 *
 * <p>Each minute, the first ones and the first of each host are logged; the rest only as a count.
 * Foreign text is escaped and truncated. On the event loop that all connections of its listener
 * share.
 */
public final class RefusalLog {
  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MAX_LINES_PER_MINUTE = 20;
  private static final int MAX_LINE_CHARACTERS = 400;

  /** Limit of hosts whose first line in a minute is always written. */
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
   * @param refusals counts all refusals
   * @param maxLines lines per minute, without the summary
   * @param nanoTime as {@link System#nanoTime()}
   */
  RefusalLog(Refusals refusals, int maxLines, Consumer<String> log, LongSupplier nanoTime) {
    this.refusals = refusals;
    this.maxLines = maxLines;
    this.log = log;
    this.nanoTime = nanoTime;
    this.windowStartNanos = nanoTime.getAsLong();
  }

  /** Creates the log of one listener; several may share the refusals. */
  public static RefusalLog of(Refusals refusals, Consumer<String> log) {
    return new RefusalLog(refusals, MAX_LINES_PER_MINUTE, log, System::nanoTime);
  }

  public void logRefusal(Refusals.Reason kind, String peer, String reason) {
    refusals.count(kind);
    write(kind + hostOf(peer), "Refused " + peer + ": " + reason);
  }

  /** Logs a remark on a connection that stays open. */
  void logRemark(String peer, String remark) {
    write(hostOf(peer), peer + ": " + remark);
  }

  private static String hostOf(String peer) {
    int port = peer.lastIndexOf(':');
    return port < 0 ? peer : peer.substring(0, port);
  }

  /**
   * Writes a line; the first one of a key in a minute ignores the limit.
   *
   * @param key peer and subject
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

  /** Logs the number of omitted lines when the minute is over; call periodically. */
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
