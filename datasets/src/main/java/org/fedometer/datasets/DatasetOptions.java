package org.fedometer.datasets;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Options of a dataset that depend on the repository, not on the user.
 *
 * @param pidNamespace the namespace of every PID, without the colon: at most 23 of {@code A-Z a-z
 *     0-9 . -}, so that the longest PID of any dataset stays within Fedora's 64 characters
 * @param pidForm the form of the part after the namespace
 * @param literalLimitBytes the longest literal that the triplestore accepts, in bytes as stored
 *     (see {@link StoredLiteral}); {@link #UNLIMITED} if there is no limit. Longer values are cut.
 *     At least {@value #MIN_LIMIT_BYTES}, since otherwise even the URIs of an object do not fit
 */
public record DatasetOptions(String pidNamespace, PidForm pidForm, int literalLimitBytes) {

  /** Default namespace. */
  public static final String STANDARD_NAMESPACE = "patent";

  /** No limit on literals: Mulgara, or no triplestore. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** The smallest limit accepted; MPTStore's narrowest column, on MySQL, holds 255 bytes. */
  public static final int MIN_LIMIT_BYTES = 200;

  /**
   * Limit for a document in a PID: 64 with the longest namespace, the longest number and two
   * separators.
   */
  private static final int MAX_DOCUMENT_LENGTH = 20;

  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9.-]{1,23}");

  public DatasetOptions {
    Objects.requireNonNull(pidNamespace, "pidNamespace");
    if (!NAMESPACE.matcher(pidNamespace).matches()) {
      throw new IllegalArgumentException(
          "'"
              + pidNamespace
              + "' cannot be a PID namespace; give 1 to 23 letters, digits, dots and hyphens");
    }
    Objects.requireNonNull(pidForm, "pidForm");
    if (literalLimitBytes < MIN_LIMIT_BYTES) {
      throw new IllegalArgumentException(
          "a literal limit of "
              + literalLimitBytes
              + " bytes is too small: objects need at least "
              + MIN_LIMIT_BYTES);
    }
  }

  /**
   * Returns options for a repository whose triplestore accepts literals of any length, with names
   * as PIDs.
   */
  public static DatasetOptions unlimited(String pidNamespace) {
    return new DatasetOptions(pidNamespace, PidForm.NAMED, UNLIMITED);
  }

  /** Returns the letters and digits of the text, twenty at most. */
  public static String document(String text) {
    String document = text.replaceAll("[^A-Za-z0-9]", "");
    return document.length() <= MAX_DOCUMENT_LENGTH
        ? document
        : document.substring(0, MAX_DOCUMENT_LENGTH);
  }

  /**
   * @param document letters, digits and hyphens, twenty at most, as from {@link #document}
   */
  public String pid(String document, long index) {
    return pidForm.pid(pidNamespace, document, index);
  }

  public DatasetOptions withLiteralLimitBytes(int bytes) {
    return new DatasetOptions(pidNamespace, pidForm, bytes);
  }

  public void addTo(Map<String, String> parameters) {
    parameters.put("pidNamespace", pidNamespace);
    parameters.put("pids", Parameters.kebab(pidForm));
    addLiteralLimitTo(parameters);
  }

  /** Adds the limit for objects that have their own PIDs. */
  public void addLiteralLimitTo(Map<String, String> parameters) {
    parameters.put(
        "literalLimitBytes",
        literalLimitBytes == UNLIMITED ? "unlimited" : Integer.toString(literalLimitBytes));
  }
}
