package org.fedometer.datasets;

import java.util.List;

/**
 * Thrown when the files that a dataset is made of are missing, cannot be read or are not what they
 * should be. The message names the first few; {@link #problems()} has one sentence for each.
 */
public final class UnusableDataException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private static final int SHOWN = 10;

  private final transient List<String> problems;

  /**
   * @param summary one clause for the user, what is wrong with the whole
   * @param problems one sentence for each file; may be empty
   */
  public UnusableDataException(String summary, List<String> problems) {
    super(message(summary, problems));
    this.problems = List.copyOf(problems);
  }

  /** One sentence for each unusable file, in the order of the dataset. */
  public List<String> problems() {
    return problems == null ? List.of() : problems;
  }

  /** The sentence of such an exception, for what was left out on purpose. */
  public static String leftOut(List<String> problems) {
    return message("left out " + problems.size() + ", which cannot be used", problems);
  }

  private static String message(String summary, List<String> problems) {
    if (problems.isEmpty()) {
      return summary;
    }
    StringBuilder text = new StringBuilder(summary).append(':');
    problems.stream().limit(SHOWN).forEach(problem -> text.append("\n  ").append(problem));
    if (problems.size() > SHOWN) {
      text.append("\n  and ").append(problems.size() - SHOWN).append(" more");
    }
    return text.toString();
  }
}
