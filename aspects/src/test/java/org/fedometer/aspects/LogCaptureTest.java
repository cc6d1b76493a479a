package org.fedometer.aspects;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.aspects.recorder.LogLine;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.aspects.recorder.TripleFlush;
import org.fedometer.aspects.recorder.TripleFlushes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogCaptureTest {

  private final FedoraLog log = new FedoraLog(FedoraLog.WARN, 1_000);
  private final Captures captures = new Captures(log);

  /** As both libraries number them. */
  public record Level(int toInt) {}

  /** Shaped like logback's. */
  public record LogbackEvent(
      Level getLevel, String getLoggerName, String getFormattedMessage, Proxy getThrowableProxy) {}

  public record Proxy(Throwable getThrowable) {}

  /** Shaped like log4j's. */
  public record Log4jEvent(
      Level getLevel,
      String getLoggerName,
      String getRenderedMessage,
      Proxy getThrowableInformation) {}

  /** One whose text makes others log, and one that fails. */
  public record OddEvent(Runnable whenRead) {
    public Level getLevel() {
      return new Level(FedoraLog.ERROR);
    }

    public String getLoggerName() {
      return "odd";
    }

    public String getFormattedMessage() {
      whenRead.run();
      return "read";
    }

    public Proxy getThrowableProxy() {
      return null;
    }
  }

  @BeforeEach
  void begin() {
    Captures.setCurrent(captures);
  }

  @AfterEach
  void end() {
    Captures.setCurrent(null);
    Recorder.stop();
  }

  @Test
  void capturesEventsOfBothLibrariesFromTheMinimumLevel() {
    LogCapture.logged(new LogbackEvent(new Level(FedoraLog.WARN), "a.B", "hot", null));
    LogCapture.logged(new LogbackEvent(new Level(FedoraLog.INFO), "a.B", "warm", null));
    LogCapture.logged(new Log4jEvent(new Level(FedoraLog.FATAL), "c.D", "burning", null));
    LogLine first = log.poll();
    assertThat(first.message()).isEqualTo("hot");
    assertThat(first.logger()).isEqualTo("a.B");
    assertThat(first.level()).isEqualTo(FedoraLog.WARN);
    assertThat(first.thread()).isEqualTo(Thread.currentThread().getName());
    assertThat(first.traceId()).isZero();
    assertThat(first.stackTrace()).isEmpty();
    assertThat(log.poll().message()).isEqualTo("burning");
    assertThat(log.poll()).isNull();
  }

  @Test
  void knowsTheTraceThatTheThreadIsIn() {
    Recorder.start(new Recording(64, 4));
    Recorder.enter(0);
    LogCapture.logged(new LogbackEvent(new Level(FedoraLog.WARN), "a", "inside", null));
    Recorder.exit(0);
    LogCapture.logged(new LogbackEvent(new Level(FedoraLog.WARN), "a", "outside", null));
    assertThat(log.poll().traceId()).isPositive();
    assertThat(log.poll().traceId()).isZero();
  }

  @Test
  void keepsTheTextOfAnExceptionAndOfItsCausesButNotForEver() {
    Throwable deepest = new IllegalArgumentException("x".repeat(100_000));
    Throwable thrown = new IllegalStateException("outer", deepest);
    LogCapture.logged(
        new LogbackEvent(new Level(FedoraLog.ERROR), "a", "failed", new Proxy(thrown)));
    String text = log.poll().stackTrace();
    assertThat(text)
        .startsWith("java.lang.IllegalStateException: outer\n\tat " + getClass().getName())
        .contains("\nCaused by: java.lang.IllegalArgumentException: xxx");
    assertThat(text.length()).isLessThan(64 * 1024);
  }

  @Test
  void aLineComesEvenIfItsExceptionCannotBeRead() {
    class Unreadable extends RuntimeException {
      private static final long serialVersionUID = 1;

      @Override
      public String toString() {
        throw new IllegalStateException("provoked");
      }
    }
    class OfAWebappThatIsGone extends RuntimeException {
      private static final long serialVersionUID = 1;

      @Override
      public String toString() {
        throw new NoClassDefFoundError("provoked");
      }
    }
    for (Throwable cause : List.of(new Unreadable(), new OfAWebappThatIsGone())) {
      LogCapture.logged(
          new LogbackEvent(
              new Level(FedoraLog.ERROR),
              "a",
              "failed",
              new Proxy(new IllegalStateException("outer", cause))));
      LogLine line = log.poll();
      assertThat(line.message()).isEqualTo("failed");
      assertThat(line.stackTrace())
          .contains("outer")
          .endsWith("Caused by: " + cause.getClass().getName());
    }
  }

  @Test
  void ignoresLoggingCausedByItselfAndSurvivesFailures() {
    LogCapture.logged(
        new OddEvent(
            () -> LogCapture.logged(new LogbackEvent(new Level(FedoraLog.WARN), "a", "b", null))));
    LogCapture.logged(
        new OddEvent(
            () -> {
              throw new StackOverflowError("provoked");
            }));
    LogCapture.logged(null);
    LogCapture.logged("no event");
    LogCapture.logged(new LogbackEvent(new Level(FedoraLog.WARN), null, null, new Proxy(null)));
    assertThat(log.poll().message()).isEqualTo("read");
    assertThat(log.poll().message()).isEmpty();
    assertThat(log.poll()).isNull();
  }

  /** Shaped like Trippi's. */
  public record Writer(int getBufferSize) {}

  @Test
  void capturesFlushesWithUpdatesAndCauses() {
    FlushCapture.begins(new Writer(1042));
    FlushCapture.ends(null);
    TripleFlush flush = captures.flushes().poll();
    assertThat(flush.updates()).isEqualTo(1042);
    assertThat(flush.durationNanos()).isBetween(0L, 60_000_000_000L);
    assertThat(flush.failureOrNull()).isNull();

    FlushCapture.begins(new Writer(3));
    FlushCapture.ends(new IllegalStateException("full"));
    TripleFlush failed = captures.flushes().poll();
    assertThat(failed.updates()).isEqualTo(3);
    assertThat(failed.failureOrNull().description())
        .isEqualTo("java.lang.IllegalStateException: full");

    FlushCapture.begins(new Writer(0));
    FlushCapture.ends(null);
    FlushCapture.ends(new IllegalStateException("never begun"));
    FlushCapture.begins("another Trippi");
    FlushCapture.ends(null);
    FlushCapture.begins(null);
    FlushCapture.ends(null);
    assertThat(captures.flushes().poll()).isNull();
  }

  @Test
  void boundsMemoryAndCountsDroppedLines() {
    FedoraLog all = new FedoraLog(FedoraLog.TRACE, 100_000);
    Captures.setCurrent(new Captures(all));
    String long16K = "y".repeat(16 * 1024);
    IntStream.range(0, 50)
        .forEach(
            i ->
                LogCapture.logged(
                    new LogbackEvent(new Level(FedoraLog.DEBUG), "a", long16K + i, null)));
    long kept = 0;
    while (all.poll() != null) {
      kept++;
    }
    assertThat(kept).isBetween(10L, 16L);
    assertThat(all.droppedSinceLastCall()).isEqualTo(50 - kept);
    LogCapture.logged(new LogbackEvent(new Level(FedoraLog.DEBUG), "a", "space again", null));
    assertThat(all.poll().message()).isEqualTo("space again");
  }

  @Test
  void countsDroppedFlushesByOutcome() {
    for (int i = 0; i < 3_000; i++) {
      FlushCapture.begins(new Writer(1));
      FlushCapture.ends(null);
      FlushCapture.begins(new Writer(1));
      FlushCapture.ends(new IllegalStateException("full"));
    }
    long well = 0;
    long failed = 0;
    TripleFlushes flushes = captures.flushes();
    for (TripleFlush flush = flushes.poll(); flush != null; flush = flushes.poll()) {
      if (flush.failureOrNull() == null) {
        well++;
      } else {
        failed++;
      }
    }
    assertThat(failed).isGreaterThan(well).isLessThan(3_000);
    assertThat(flushes.succeededDroppedSinceLastCall()).isEqualTo(3_000 - well);
    assertThat(flushes.failedDroppedSinceLastCall()).isEqualTo(3_000 - failed);
    assertThat(flushes.succeededDroppedSinceLastCall()).isZero();
    assertThat(flushes.failedDroppedSinceLastCall()).isZero();
  }

  @Test
  void readsNothingWithoutCaptures() {
    Captures.setCurrent(null);
    LogCapture.logged(
        new OddEvent(
            () -> {
              throw new AssertionError("read");
            }));
    FlushCapture.begins(new Writer(7));
    FlushCapture.ends(null);
    assertThat(captures.flushes().poll()).isNull();
    assertThat(log.poll()).isNull();
  }
}
