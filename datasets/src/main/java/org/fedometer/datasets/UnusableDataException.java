package org.fedometer.datasets;

import java.util.List;

/**
 * Thrown if the files of a dataset are missing, unreadable or invalid. The message names all of
 * them, one per line, escaped for a terminal.
 */
public final class UnusableDataException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** Largest number of named files if a file lists all of them. */
  private static final int MAX_NAMED = 10;

  private final transient List<String> problems;

  /**
   * @param summary one clause for the user about the overall fault
   * @param unusable the unusable documents, each file once; may be empty
   */
  public UnusableDataException(String summary, List<UnusableDocument> unusable) {
    super(message(summary, unusable, unusable.size()));
    this.problems = unusable.stream().map(UnusableDocument::message).toList();
  }

  /** Returns the problems in the order of the message. */
  public List<String> problems() {
    return problems == null ? List.of() : problems;
  }

  /** Returns such a message for deliberately omitted documents; names all. */
  public static String skippedMessage(List<UnusableDocument> documents) {
    return message(summaryOf(documents), documents, documents.size());
  }

  /**
   * Returns such a message that names only the first ten of many.
   *
   * @param whereAllAre the place of the complete list; given in the message if these are not all
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
    return "left out " + FilesBelow.counted(0, documents.size()) + " that cannot be used";
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
