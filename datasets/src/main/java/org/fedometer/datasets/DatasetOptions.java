package org.fedometer.datasets;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What the repository, not the user, decides about a dataset.
 *
 * @param pidNamespace namespace of every PID, without the colon: at most 23 of {@code A-Z a-z 0-9 .
 *     -}, so that the longest PID of any dataset stays within Fedora's 64 characters
 * @param pidForm what follows the namespace
 * @param literalLimitBytes longest literal that the triplestore keeps, in bytes as it stores them
 *     (see {@link StoredLiteral}); {@link #UNLIMITED} where there is no limit. Values that would be
 *     longer are cut. At least {@value #MIN_LIMIT_BYTES}: below that not even the URIs of an object
 *     fit
 */
public record DatasetOptions(String pidNamespace, PidForm pidForm, int literalLimitBytes) {

  /** The namespace where nobody chooses one. */
  public static final String STANDARD_NAMESPACE = "patent";

  /** No limit on literals: Mulgara, or no triplestore. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** The smallest limit accepted; MPTStore's narrowest column, on MySQL, holds 255 bytes. */
  public static final int MIN_LIMIT_BYTES = 200;

  /** Of a document in a PID: with the longest namespace, the longest number and two signs 64. */
  private static final int MAX_DOCUMENT_LENGTH = 20;

  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9.-]{1,23}");

  public DatasetOptions {
    Objects.requireNonNull(pidNamespace, "pidNamespace");
    if (!NAMESPACE.matcher(pidNamespace).matches()) {
      throw new IllegalArgumentException(
          "'"
              + pidNamespace
              + "' cannot be a PID namespace: it takes 1 to 23 letters, digits, dots and hyphens");
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

  /** Options for a repository whose triplestore takes literals of any length; PIDs are names. */
  public static DatasetOptions unlimited(String pidNamespace) {
    return new DatasetOptions(pidNamespace, PidForm.NAMED, UNLIMITED);
  }

  /** Letters and digits of the text, twenty at most. */
  public static String document(String text) {
    String document = text.replaceAll("[^A-Za-z0-9]", "");
    return document.length() <= MAX_DOCUMENT_LENGTH
        ? document
        : document.substring(0, MAX_DOCUMENT_LENGTH);
  }

  /**
   * @param document letters, digits and hyphens, twenty at most, such as {@link #document} makes
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

  /** For objects that have PIDs of their own. */
  public void addLiteralLimitTo(Map<String, String> parameters) {
    parameters.put(
        "literalLimitBytes",
        literalLimitBytes == UNLIMITED ? "unlimited" : Integer.toString(literalLimitBytes));
  }
}
