package org.fedometer.datasets;

import java.util.regex.Pattern;

/**
 * What Fedora 3.8.1 allows, and what it makes of an object, where more than one place has to know
 * it.
 */
public final class FedoraRules {

  /** In characters. */
  public static final int LONGEST_PID = 64;

  /** In characters. */
  public static final int LONGEST_DATASTREAM_ID = 64;

  /** Of an object or a datastream, in characters. */
  public static final int LONGEST_LABEL = 255;

  /** Created date, label, owner, state, last modified date: there are defaults for each. */
  public static final int TRIPLES_OF_AN_OBJECT = 5;

  /** Disseminates, dissemination type, is volatile, last modified date, media type, state. */
  public static final int TRIPLES_OF_A_DATASTREAM = 6;

  private static final Pattern PID =
      Pattern.compile("[A-Za-z0-9.-]+:(?:[A-Za-z0-9.~_-]|%[0-9A-F]{2})+");

  private FedoraRules() {}

  /**
   * Whether Fedora takes it for a PID: {@code namespace:name} of letters, digits, {@code -} and
   * {@code .}, in the name also {@code ~}, {@code _} and {@code %XX}.
   */
  public static boolean isPid(String text) {
    return text.length() <= LONGEST_PID && PID.matcher(text).matches();
  }
}
