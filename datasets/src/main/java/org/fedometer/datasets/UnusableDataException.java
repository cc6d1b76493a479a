package org.fedometer.datasets;

import java.util.List;

/**
 * Thrown when the files that a dataset is made of are missing, cannot be read or are not what they
 * should be. The message names all of them, a line each, escaped for a terminal.
 */
public final class UnusableDataException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** So many are named where all of them are in a file besides. */
  private static final int FIRST = 10;

  private final transient List<String> problems;

  /**
   * @param summary one clause for the user, what is wrong with the whole
   * @param unusable what cannot be used, each file once; may be empty
   */
  public UnusableDataException(String summary, List<UnusableDocument> unusable) {
    super(message(summary, unusable, unusable.size()));
    this.problems = unusable.stream().map(UnusableDocument::sentence).toList();
  }

  /** In the order of the message. */
  public List<String> problems() {
    return problems == null ? List.of() : problems;
  }

  /** The sentence of such an exception, for what was left out on purpose; names all. */
  public static String leftOut(List<UnusableDocument> documents) {
    return message(summaryOf(documents), documents, documents.size());
  }

  /**
   * The same, but that of many only the first ten are named.
   *
   * @param whereAllAre where all of them are named; said if these are not all
   */
  public static String leftOut(List<UnusableDocument> documents, String whereAllAre) {
    String text = message(summaryOf(documents), documents, FIRST);
    return documents.size() <= FIRST
        ? text
        : text + "\n  and " + (documents.size() - FIRST) + " more: all are named in " + whereAllAre;
  }

  private static String summaryOf(List<UnusableDocument> documents) {
    return "left out " + documents.size() + ", which cannot be used";
  }

  private static String message(String summary, List<UnusableDocument> documents, int most) {
    if (documents.isEmpty()) {
      return summary;
    }
    StringBuilder text = new StringBuilder(summary).append(':');
    documents.stream().limit(most).forEach(one -> text.append("\n  ").append(one.sentence()));
    return text.toString();
  }
}
