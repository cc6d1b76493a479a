package org.fedometer.datasets;

import java.util.List;

/**
 * Thrown when the files that a dataset is made of are missing, cannot be read or are not what they
 * should be. The message names all of them, a line each, escaped for a terminal.
 */
public final class UnusableDataException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** So many are named where all of them are in a file besides. */
  private static final int MAX_NAMED = 10;

  private final transient List<String> problems;

  /**
   * @param summary one clause for the user, what is wrong with the whole
   * @param unusable what cannot be used, each file once; may be empty
   */
  public UnusableDataException(String summary, List<UnusableDocument> unusable) {
    super(message(summary, unusable, unusable.size()));
    this.problems = unusable.stream().map(UnusableDocument::message).toList();
  }

  /** In the order of the message. */
  public List<String> problems() {
    return problems == null ? List.of() : problems;
  }

  /** The sentence of such an exception, for what was left out on purpose; names all. */
  public static String skippedMessage(List<UnusableDocument> documents) {
    return message(summaryOf(documents), documents, documents.size());
  }

  /**
   * The same, but that of many only the first ten are named.
   *
   * @param whereAllAre where all of them are named; said if these are not all
   */
  public static String skippedMessage(List<UnusableDocument> documents, String whereAllAre) {
    String text = message(summaryOf(documents), documents, MAX_NAMED);
    return documents.size() <= MAX_NAMED
        ? text
        : text
            + "\n  and "
            + (documents.size() - MAX_NAMED)
            + " more: all are named in "
            + whereAllAre;
  }

  private static String summaryOf(List<UnusableDocument> documents) {
    return "left out " + documents.size() + ", which cannot be used";
  }

  private static String message(String summary, List<UnusableDocument> documents, int max) {
    if (documents.isEmpty()) {
      return summary;
    }
    StringBuilder text = new StringBuilder(summary).append(':');
    documents.stream().limit(max).forEach(one -> text.append("\n  ").append(one.message()));
    return text.toString();
  }
}
