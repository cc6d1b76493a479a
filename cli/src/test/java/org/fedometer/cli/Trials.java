package org.fedometer.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.opentest4j.TestAbortedException;

/**
 * Repeats a fault at random moments. Each trial's seed is recorded in {@code
 * target/endurance/FAULT.jsonl} and in failures. {@code -Dfedometer.seed=N} sets the first trial's
 * seed, and {@code -Dfedometer.trials=N} the number of trials.
 */
final class Trials {
  private static final Path RECORDS = Path.of("target", "endurance").toAbsolutePath();
  private static final ObjectMapper JSON = new ObjectMapper();

  private Trials() {}

  /** A trial: random values from its seed, and results. */
  static final class Trial {
    private final long seed;
    private final int number;
    private final SplittableRandom random;
    private final Map<String, Object> record = new LinkedHashMap<>();

    private Trial(String fault, long seed, int number) {
      this.seed = seed;
      this.number = number;
      // Not Random, whose first draws hardly change from one seed to the next.
      this.random = new SplittableRandom(seed);
      record.put("fault", fault);
      record.put("seed", seed);
    }

    /**
     * From 0 on; for names of runs, and for nothing that a trial with this seed has to do again.
     */
    int number() {
      return number;
    }

    /** An even draw, both ends included. */
    int between(int min, int max) {
      return random.nextInt(min, max + 1);
    }

    /**
     * Returns a choice from 0 on; consecutive seeds rotate, so that several trials cover all
     * choices.
     */
    int choose(int choices) {
      return (int) Math.floorMod(seed, (long) choices);
    }

    /**
     * Puts a figure or a word on record.
     *
     * @param name camelCase, with its unit: {@code outageSeconds}
     */
    void note(String name, Object value) {
      record.put(name, value);
    }

    /**
     * Puts on record how long ago that was, in seconds and tenths.
     *
     * @param nanos by {@code System.nanoTime()}
     */
    void noteSecondsSince(String name, long nanos) {
      note(name, Math.round((System.nanoTime() - nanos) / 1e8) / 10.0);
    }
  }

  @FunctionalInterface
  interface Body {
    void run(Trial trial) throws Exception;
  }

  /**
   * Runs the body once for each trial.
   *
   * @param fault kebab-case: {@code driver-killed}
   * @throws AssertionError with the seed, if one failed; the rest is not tried
   * @throws TestAbortedException if the machine lacks what the body needs
   */
  static void of(String fault, Body body) throws Exception {
    long first = setting("fedometer.seed");
    long count = setting("fedometer.trials");
    if (count < 1) {
      throw new IllegalArgumentException(
          "-Dfedometer.trials=" + count + " tries nothing: give 1 or more");
    }
    for (int number = 0; number < count; number++) {
      long seed = first + number;
      Trial trial = new Trial(fault, seed, number);
      long begin = System.nanoTime();
      try {
        body.run(trial);
        trial.note("passed", true);
      } catch (TestAbortedException skipped) {
        trial.note("skipped", skipped.getMessage());
        throw skipped;
      } catch (Exception | AssertionError failed) {
        trial.note("passed", false);
        throw new AssertionError(fault + " failed with -Dfedometer.seed=" + seed, failed);
      } finally {
        trial.noteSecondsSince("seconds", begin);
        keep(fault, trial);
      }
    }
  }

  /** A system property, 1 where it is not given. */
  private static long setting(String name) {
    String value = System.getProperty(name, "1");
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("-D" + name + "=" + value + " is no whole number", e);
    }
  }

  private static void keep(String fault, Trial trial) throws IOException {
    Files.createDirectories(RECORDS);
    Files.writeString(
        RECORDS.resolve(fault + ".jsonl"),
        JSON.writeValueAsString(trial.record) + "\n",
        StandardCharsets.UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
