package org.fedometer.benchmarks.fedora;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Pairs of blocks, one with recording and one without, in random order, under constant load. The
 * two blocks of a pair follow each other, so that what changes slowly changes both.
 */
final class Blocks {
  /** What is to be reached: recording costs at most 2 % of the throughput. */
  static final double GOAL = 0.98;

  static final double CONFIDENCE = 0.95;

  /**
   * Confidence that an early end needs. Ending at the first lower bound of 95 % after any pair
   * would pass a true ratio of 0.98 in 15 of 100 runs; with this one, and 95 % when the time is
   * over, in 3, about as often as one look does (simulated: 6,000 runs, 225 pairs each).
   */
  private static final double CONFIDENCE_TO_END_EARLY = 0.998;

  private static final int MIN_PAIRS = 20;
  private static final Duration REPORT_INTERVAL = Duration.ofMinutes(2);

  private final AgentFedoraOptions options;
  private final ConstantLoad load;
  private final RecordingSwitch recording;
  private final Random random;
  private final List<Double> logRatios = new ArrayList<>();
  private final BlockSums with = new BlockSums();
  private final BlockSums without = new BlockSums();

  Blocks(AgentFedoraOptions options, ConstantLoad load, RecordingSwitch recording) {
    this.options = options;
    this.load = load;
    this.recording = recording;
    this.random = new Random(options.seed());
  }

  /** Two pairs at least, and as many more as the time allows or it takes. */
  RatioInterval run() throws IOException, InterruptedException {
    RequestLog log = load.log();
    long endNanos = log.nowNanos() + options.limit().toNanos();
    long nextReportNanos = log.nowNanos() + REPORT_INTERVAL.toNanos();
    while (logRatios.size() < 2 || (log.nowNanos() < endNanos && !isDecided())) {
      pair();
      if (log.nowNanos() > nextReportNanos && logRatios.size() >= 2) {
        nextReportNanos += REPORT_INTERVAL.toNanos();
        System.err.println("  " + describe(RatioInterval.of(logRatios, CONFIDENCE)));
      }
    }
    return RatioInterval.of(logRatios, CONFIDENCE);
  }

  private boolean isDecided() {
    return logRatios.size() >= MIN_PAIRS
        && RatioInterval.of(logRatios, CONFIDENCE_TO_END_EARLY).low() >= GOAL;
  }

  private void pair() throws IOException, InterruptedException {
    boolean withFirst = random.nextBoolean();
    double first = block(withFirst);
    double second = block(!withFirst);
    logRatios.add(withFirst ? Math.log(first / second) : Math.log(second / first));
  }

  /** Objects per second; half an object more, so that a block without any has a logarithm. */
  private double block(boolean on) throws IOException, InterruptedException {
    RequestLog log = load.log();
    long commandNanos = log.nowNanos();
    recording.setRecording(on);
    long beginNanos = log.nowNanos();
    long keptNanos = beginNanos + AgentFedoraOptions.DROPPED.toNanos();
    long endNanos = beginNanos + options.block().toNanos();
    load.awaitUntil(endNanos);
    long kept = log.ingestedWithin(keptNanos, endNanos);
    (on ? with : without)
        .add(
            log.ingestedWithin(commandNanos, keptNanos),
            keptNanos - commandNanos,
            kept,
            endNanos - keptNanos,
            beginNanos - commandNanos);
    return (kept + 0.5) * 1e9 / (endNanos - keptNanos);
  }

  String describe(RatioInterval interval) {
    return String.format(
        Locale.ROOT,
        "with/without %.4f [%.4f, %.4f] over %d pairs; %.1f objects/s with recording, %.1f without",
        interval.ratio(),
        interval.low(),
        interval.high(),
        interval.pairs(),
        with.rate(),
        without.rate());
  }

  /** Whether the commands themselves disturb. */
  String describeCommands() {
    return String.format(
        Locale.ROOT,
        "a command took %.0f ms to switch on, %.0f ms to switch off; while it ran and in the 1.5 s"
            + " after it, which are dropped, the load had %.3f of its rate after that when switched"
            + " on, %.3f when switched off",
        with.commandMillis(),
        without.commandMillis(),
        with.droppedRate() / with.rate(),
        without.droppedRate() / without.rate());
  }

  private static final class BlockSums {
    private int blocks;
    private long droppedObjects;
    private long droppedNanos;
    private long keptObjects;
    private long keptNanos;
    private long commandNanos;

    void add(
        long newDroppedObjects,
        long newDroppedNanos,
        long newKeptObjects,
        long newKeptNanos,
        long newCommandNanos) {
      blocks++;
      droppedObjects += newDroppedObjects;
      droppedNanos += newDroppedNanos;
      keptObjects += newKeptObjects;
      keptNanos += newKeptNanos;
      commandNanos += newCommandNanos;
    }

    double rate() {
      return keptObjects * 1e9 / keptNanos;
    }

    double droppedRate() {
      return droppedObjects * 1e9 / droppedNanos;
    }

    double commandMillis() {
      return commandNanos / 1e6 / blocks;
    }
  }
}
