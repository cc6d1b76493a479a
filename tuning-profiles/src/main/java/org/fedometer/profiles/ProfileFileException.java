package org.fedometer.profiles;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown for an invalid profile, or an invalid file that names profiles. The message has a line for
 * each problem, with file and line first.
 */
public final class ProfileFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** A problem; the text explains it and the allowed values. */
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

  /** Returns all problems, at least one. */
  public List<Problem> problems() {
    return problems;
  }
}
