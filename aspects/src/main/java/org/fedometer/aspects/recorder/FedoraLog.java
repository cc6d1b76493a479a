package org.fedometer.aspects.recorder;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Buffers lines of Fedora's log until the agent's drainer removes them. Fedora's threads add and
 * never wait: lines beyond the rate or the capacity are dropped and counted. {@link Captures} has
 * the switch.
 */
public final class FedoraLog {

  /** Levels as log4j and logback number them. */
  public static final int TRACE = 5_000;

  public static final int DEBUG = 10_000;
  public static final int INFO = 20_000;
  public static final int WARN = 30_000;
  public static final int ERROR = 40_000;
  public static final int FATAL = 50_000;

  /** Above all levels: captures no line. */
  public static final int OFF = Integer.MAX_VALUE;

  /** Limit of all buffered lines, in characters of two bytes. */
  private static final int CHARACTER_LIMIT = 256 * 1024;

  /** Limit of all buffered lines, in bytes. */
  public static final int LIMIT_BYTES = 2 * CHARACTER_LIMIT;

  /** Overhead of a line (object, references, queue node), in characters. */
  private static final int LINE_CHARACTERS = 64;

  private static final int SECOND_SHIFT = 32;
  private static final long SECOND_NANOS = 1_000_000_000;

  private final int minLevel;
  private final int linesPerSecond;
  private final ConcurrentLinkedQueue<LogLine> lines = new ConcurrentLinkedQueue<>();
  private final AtomicInteger charactersWaiting = new AtomicInteger();

  /** The second and its number of lines, in one word. */
  private final AtomicLong secondAndLines = new AtomicLong();

  private final AtomicLong dropped = new AtomicLong();

  /**
   * @param minLevel lines below are not kept, {@link #OFF} for none
   * @param linesPerSecond limit; further lines are only counted
   */
  public FedoraLog(int minLevel, int linesPerSecond) {
    this.minLevel = minLevel;
    this.linesPerSecond = linesPerSecond;
  }

  // --- Fedora's threads

  public boolean isEnabled(int level) {
    return level >= minLevel;
  }

  /** Returns whether one more line fits this second; otherwise counts the line as dropped. */
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

  /** Adds a line after {@link #tryAcquire}. */
  public void add(LogLine line) {
    int characters = LINE_CHARACTERS + line.characters();
    boolean waits = false;
    try {
      waits = charactersWaiting.addAndGet(characters) <= CHARACTER_LIMIT && lines.add(line);
    } finally {
      // Also if the queue found no memory: its space would be lost for ever.
      if (!waits) {
        charactersWaiting.addAndGet(-characters);
        dropped.incrementAndGet();
      }
    }
  }

  // --- The drainer

  /** Returns the next line, or {@code null}. */
  public LogLine poll() {
    LogLine line = lines.poll();
    if (line != null) {
      charactersWaiting.addAndGet(-LINE_CHARACTERS - line.characters());
    }
    return line;
  }

  /** Counts a polled line that could not be sent as dropped. */
  public void countDropped() {
    dropped.incrementAndGet();
  }

  /** Returns the number of lines dropped since the last call. */
  public long droppedSinceLastCall() {
    return dropped.getAndSet(0);
  }
}
