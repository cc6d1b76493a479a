package org.fedometer.experiments.load;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What a run does to outlive the end of its processes.
 *
 * @param maxRestarts how often Fedora and its database are started again after the process of one
 *     of them has ended; 0: the run ends then
 * @param confirmEvery how often Fedora is asked to flush its triples, so that after a crash only
 *     what came since has to be looked at; zero for never
 * @param arguments the command line, for whoever goes on with the run
 */
public record Endurance(int maxRestarts, Duration confirmEvery, List<String> arguments) {

  public static final int STANDARD_RESTARTS = 3;

  /** Of a run that cannot be taken up in its midst, or is not to be. */
  public static final Endurance NONE = new Endurance(0, Duration.ZERO, List.of());

  public Endurance {
    Objects.requireNonNull(confirmEvery, "confirmEvery");
    arguments = List.copyOf(arguments);
    if (maxRestarts < 0) {
      throw new IllegalArgumentException("--max-restarts " + maxRestarts + ": give 0 or more");
    }
    if (confirmEvery.isNegative()) {
      throw new IllegalArgumentException(
          "--confirm-interval " + confirmEvery + ": give 0s or more");
    }
  }
}
