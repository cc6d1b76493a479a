package org.fedometer.aspects.recorder;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where lines of Fedora's log wait until the agent's drainer takes them. Fedora's threads put in
 * and never wait: past a number a second, or more than there is room for, lines are left out and
 * counted. {@link Captures} has the switch.
 */
public final class FedoraLog {

  /** Levels as log4j and logback number them. */
  public static final int TRACE = 5_000;

  public static final int DEBUG = 10_000;
  public static final int INFO = 20_000;
  public static final int WARN = 30_000;
  public static final int ERROR = 40_000;
  public static final int FATAL = 50_000;

  /** Above all others: no line. */
  public static final int OFF = Integer.MAX_VALUE;

  /** What waiting lines may hold together, in characters of two bytes. */
  private static final int CHARACTER_LIMIT = 256 * 1024;

  /** What waiting lines hold at most, in bytes. */
  public static final int LIMIT_BYTES = 2 * CHARACTER_LIMIT;

  /** An object, its references and its place in the queue, as characters. */
  private static final int LINE_CHARACTERS = 64;

  private static final int SECOND_SHIFT = 32;
  private static final long SECOND_NANOS = 1_000_000_000;

  private final int minLevel;
  private final int linesPerSecond;
  private final ConcurrentLinkedQueue<LogLine> lines = new ConcurrentLinkedQueue<>();
  private final AtomicInteger charactersWaiting = new AtomicInteger();

  /** The second and how many lines it has had, in one word. */
  private final AtomicLong secondAndLines = new AtomicLong();

  private final AtomicLong dropped = new AtomicLong();

  /**
   * @param minLevel lines below are not kept, {@link #OFF} for none
   * @param linesPerSecond more are counted only
   */
  public FedoraLog(int minLevel, int linesPerSecond) {
    this.minLevel = minLevel;
    this.linesPerSecond = linesPerSecond;
  }

  // --- Fedora's threads

  public boolean isEnabled(int level) {
    return level >= minLevel;
  }

  /** Whether this second has room for one more line; if not, the line is counted as left out. */
  public boolean tryAcquire() {
    long second = System.nanoTime() / SECOND_NANOS & 0x7fffffff;
    while (true) {
      long before = secondAndLines.get();
      long count = before >>> SECOND_SHIFT == second ? before & 0xffffffffL : 0;
      if (count >= linesPerSecond || charactersWaiting.get() >= CHARACTER_LIMIT) {
        dropped.incrementAndGet();
        return false;
      }
      if (secondAndLines.compareAndSet(before, second << SECOND_SHIFT | count + 1)) {
        return true;
      }
    }
  }

  /** One line that was admitted. */
  public void add(LogLine line) {
    int characters = LINE_CHARACTERS + line.characters();
    boolean waits = false;
    try {
      waits = charactersWaiting.addAndGet(characters) <= CHARACTER_LIMIT && lines.add(line);
    } finally {
      // Also where the queue found no memory: its room would be taken for ever.
      if (!waits) {
        charactersWaiting.addAndGet(-characters);
        dropped.incrementAndGet();
      }
    }
  }

  // --- The drainer

  /** The next line, or {@code null}. */
  public LogLine poll() {
    LogLine line = lines.poll();
    if (line != null) {
      charactersWaiting.addAndGet(-LINE_CHARACTERS - line.characters());
    }
    return line;
  }

  /** A line was taken and could not be passed on: it is counted as left out. */
  public void countDropped() {
    dropped.incrementAndGet();
  }

  /** How many lines were left out since this was asked last. */
  public long droppedSinceLastCall() {
    return dropped.getAndSet(0);
  }
}
