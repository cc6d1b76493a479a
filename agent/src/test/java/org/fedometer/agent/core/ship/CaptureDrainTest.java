package org.fedometer.agent.core.ship;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.aspects.recorder.LogLine;
import org.fedometer.aspects.recorder.TripleFlush;
import org.fedometer.wire.record.LogLevel;
import org.junit.jupiter.api.Test;

/** Memory runs out with the first line to be logged. */
class CaptureDrainTest {

  private final Captures captures = new Captures(new FedoraLog(FedoraLog.WARN, 10));
  private final Lines lines = new Lines();
  private final CaptureDrain drain = new CaptureDrain(captures, lines, new HalfFailingSink());

  @Test
  void countsALineWithoutMemoryAsDropped() {
    captures.log().add(new LogLine(1, FedoraLog.WARN, 0, "logger", "thread", "lost", null));
    captures.log().add(new LogLine(2, FedoraLog.WARN, 0, "logger", "thread", "kept", null));
    assertThatThrownBy(drain::drain).isInstanceOf(OutOfMemoryError.class);

    drain.drain();
    drain.flush();

    assertThat(lines.logged).hasSize(2);
    assertThat(lines.logged.get(0)).isEqualTo("kept");
    assertThat(lines.logged.get(1)).startsWith("1 line of Fedora's log left out");
  }

  @Test
  void reportsAFailedFlushWithoutMemory() {
    LogLine.Thrown why = LogLine.Thrown.of(new IllegalStateException("no triplestore"));
    captures.flushes().add(TripleFlush.failed(1, 0, "flusher", 7, why));
    assertThatThrownBy(drain::drain).isInstanceOf(OutOfMemoryError.class);

    drain.flush();

    assertThat(lines.logged)
        .singleElement()
        .asString()
        .startsWith("1 more flush of triples failed, and their triples are lost");
  }

  @Test
  void countsAPartlyForwardedFlushAsDropped() {
    lines.hasMemory = true;
    captures.flushes().add(TripleFlush.succeeded(1, 7, 2));
    assertThatThrownBy(drain::drain).isInstanceOf(OutOfMemoryError.class);

    drain.flush();

    assertThat(lines.logged)
        .singleElement()
        .asString()
        .startsWith("1 flush of triples is missing from the telemetry");
  }

  @Test
  void reportsDropsLaterWithoutMemory() {
    captures.log().countDropped();
    assertThatThrownBy(drain::flush).isInstanceOf(OutOfMemoryError.class);

    captures.log().countDropped();
    drain.flush();
    drain.flush();

    assertThat(lines.logged)
        .singleElement()
        .asString()
        .startsWith("2 lines of Fedora's log left out");
  }

  /** Has memory from the second line on. */
  private static final class Lines implements LogSink {
    private final List<String> logged = new ArrayList<>();
    private boolean hasMemory;

    @Override
    public void log(
        long atNanos,
        LogLevel level,
        long traceId,
        String logger,
        String thread,
        String message,
        String thrown) {
      if (!hasMemory) {
        hasMemory = true;
        throw new OutOfMemoryError("provoked");
      }
      logged.add(message);
    }

    @Override
    public void flush() {
      // Nothing waits.
    }
  }

  /** Runs out of memory for a flush's duration. */
  private static final class HalfFailingSink implements TelemetrySink {
    @Override
    public void value(long atNanos, String metric, String unit, double value) {
      if (metric.equals("triples.flush.duration")) {
        throw new OutOfMemoryError("provoked");
      }
    }

    @Override
    public void pause(
        String collector,
        String action,
        String cause,
        long startNanos,
        long durationNanos,
        long heapBeforeBytes,
        long heapAfterBytes) {
      // Not used.
    }

    @Override
    public void flush() {
      // Nothing waits.
    }

    @Override
    public long droppedSinceLastCall() {
      return 0;
    }
  }
}
