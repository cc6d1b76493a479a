package org.fedometer.experiments.load;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Recovery of a run from the end of its processes.
 *
 * @param maxRestarts how often Fedora and its database are restarted after one of them has ended; 0
 *     ends the run then
 * @param confirmEvery interval at which Fedora flushes its triples, so that after a crash only
 *     later objects need checking; zero for never
 * @param arguments the command line, for a resume
 */
public record Endurance(int maxRestarts, Duration confirmEvery, List<String> arguments) {

  public static final int STANDARD_RESTARTS = 3;

  /** For a run that cannot be resumed, or is not to be. */
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
