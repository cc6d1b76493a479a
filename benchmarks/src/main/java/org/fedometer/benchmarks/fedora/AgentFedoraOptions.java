package org.fedometer.benchmarks.fedora;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * What {@code benchmarks/bench agent-fedora} is to do.
 *
 * @param limit how long the blocks may go on
 * @param seed of the order of the blocks
 * @param workers concurrent requests
 * @param warmUpObjects ingested before the agent comes
 */
record AgentFedoraOptions(
    Path agentJar,
    Duration limit,
    long seed,
    int workers,
    long warmUpObjects,
    Duration block,
    String profile,
    String dataset) {

  /** What a block begins with: the command's own effect, and that of the block before. */
  static final Duration DROPPED = Duration.ofMillis(1_500);

  AgentFedoraOptions {
    if (limit.isZero() || limit.isNegative()) {
      throw new IllegalArgumentException("MINUTES must be above 0, such as 60");
    }
    if (workers < 1 || workers > 100) {
      throw new IllegalArgumentException("workers=" + workers + ": give 1 to 100");
    }
    if (warmUpObjects < 0) {
      throw new IllegalArgumentException("warm-up=" + warmUpObjects + ": give 0 or more");
    }
    if (block.compareTo(DROPPED.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "block-seconds must be 3 or more: the first 1.5 s of a block are dropped");
    }
  }

  /**
   * @param arguments the agent's jar; then minutes and seed, as far as given; then {@code
   *     NAME=VALUE}
   */
  static AgentFedoraOptions parse(String[] arguments) {
    double minutes = 60;
    long seed = new Random().nextInt(1_000_000);
    int workers = 2;
    long warmUp = 5_000;
    double blockSeconds = 8;
    String profile = "mptstore-postgresql";
    String dataset = "patents:small";
    int numbers = 0;
    for (int i = 1; i < arguments.length; i++) {
      String argument = arguments[i];
      String[] pair = argument.split("=", 2);
      try {
        if (pair.length == 1 && numbers == 0) {
          minutes = Double.parseDouble(argument);
          numbers++;
        } else if (pair.length == 1 && numbers == 1) {
          seed = Long.parseLong(argument);
          numbers++;
        } else if (pair.length == 1) {
          throw new IllegalArgumentException(unknown(argument));
        } else {
          switch (pair[0]) {
            case "workers" -> workers = Integer.parseInt(pair[1]);
            case "warm-up" -> warmUp = Long.parseLong(pair[1]);
            case "block-seconds" -> blockSeconds = Double.parseDouble(pair[1]);
            case "profile" -> profile = pair[1];
            case "dataset" -> dataset = pair[1];
            default -> throw new IllegalArgumentException(unknown(argument));
          }
        }
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("'" + argument + "' holds no such number", e);
      }
    }
    return new AgentFedoraOptions(
        Path.of(arguments[0]),
        Duration.ofMillis(Math.round(minutes * 60_000)),
        seed,
        workers,
        warmUp,
        Duration.ofMillis(Math.round(blockSeconds * 1_000)),
        profile,
        dataset);
  }

  private static String unknown(String argument) {
    return "'"
        + argument
        + "' is not known; after MINUTES and SEED come workers=N, warm-up=OBJECTS,"
        + " block-seconds=S, profile=P, dataset=D";
  }
}
