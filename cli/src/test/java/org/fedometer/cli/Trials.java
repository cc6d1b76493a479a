package org.fedometer.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * Repeats a fault at random moments. The seed of each trial is on record, in {@code
 * target/endurance/FAULT.jsonl} and in what a failure says: {@code -Dfedometer.seed=N} makes the
 * first trial that one, and {@code -Dfedometer.trials=N} makes so many.
 */
final class Trials {
  private static final Path RECORDS = Path.of("target", "endurance").toAbsolutePath();
  private static final int COUNT = Integer.getInteger("fedometer.trials", 1);
  private static final ObjectMapper JSON = new ObjectMapper();

  private Trials() {}

  /** One trial: what it draws from its seed, and what came of it. */
  static final class Trial {
    private final int number;
    private final Random random;
    private final Map<String, Object> record = new LinkedHashMap<>();

    private Trial(String fault, long seed, int number) {
      this.number = number;
      this.random = new Random(seed);
      record.put("fault", fault);
      record.put("seed", seed);
    }

    /** From 0 on; for names of runs. */
    int number() {
      return number;
    }

    /** An even draw, both ends included. */
    int between(int least, int most) {
      return least + random.nextInt(most - least + 1);
    }

    /**
     * Puts a figure or a word on record.
     *
     * @param name camelCase, with its unit: {@code outageSeconds}
     */
    void note(String name, Object value) {
      record.put(name, value);
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
   */
  static void of(String fault, Body body) throws Exception {
    long first = Long.getLong("fedometer.seed", 1);
    for (int number = 0; number < COUNT; number++) {
      long seed = first + number;
      Trial trial = new Trial(fault, seed, number);
      long begin = System.nanoTime();
      try {
        body.run(trial);
        trial.note("passed", true);
      } catch (Exception | AssertionError failed) {
        trial.note("passed", false);
        throw new AssertionError(fault + " failed with -Dfedometer.seed=" + seed, failed);
      } finally {
        trial.note("seconds", Math.round((System.nanoTime() - begin) / 1e8) / 10.0);
        keep(fault, trial);
      }
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
