package org.fedometer.profiles;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A profile, or a file that names profiles, cannot be as it is written. The message has a line for
 * each problem, which begins with file and line.
 */
public final class ProfileFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** The text says why, and what is allowed. */
  public record Problem(Origin origin, String text) {
    @Override
    public String toString() {
      return origin + ": " + text;
    }
  }

  public ProfileFileException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  ProfileFileException(Origin origin, String text) {
    this(List.of(new Problem(origin, text)));
  }

  /** All that is wrong, at least one. */
  public List<Problem> problems() {
    return problems;
  }
}
