package org.fedometer.datasets;

import java.util.Set;
import java.util.regex.Pattern;

/** Limits and rules of Fedora 3.8.1 that several classes need. */
public final class FedoraRules {

  /** In characters. */
  public static final int MAX_PID_LENGTH = 64;

  /** In characters. */
  public static final int MAX_DATASTREAM_ID_LENGTH = 64;

  /** Of an object or a datastream, in characters. */
  public static final int MAX_LABEL_LENGTH = 255;

  /** Created date, label, owner, state, last modified date: each has a default. */
  public static final int TRIPLES_OF_AN_OBJECT = 5;

  /** Disseminates, dissemination type, is volatile, last modified date, media type, state. */
  public static final int TRIPLES_OF_A_DATASTREAM = 6;

  /** Namespaces of Dublin Core, which RELS-EXT may not use because they are for DC. */
  public static final Set<String> DUBLIN_CORE_NAMESPACES =
      Set.of("http://purl.org/dc/elements/1.1/", "http://www.openarchives.org/OAI/2.0/oai_dc/");

  /** The only names in the namespace of Fedora's model that RELS-EXT may use. */
  public static final Set<String> MODEL_NAMES_OF_RELS_EXT =
      Set.of("hasModel", "hasService", "isContractorOf", "isDeploymentOf");

  private static final Pattern PID =
      Pattern.compile("[A-Za-z0-9.-]+:(?:[A-Za-z0-9.~_-]|%[0-9A-F]{2})+");

  private FedoraRules() {}

  /**
   * Returns whether Fedora accepts a text as a PID: {@code namespace:name} of letters, digits,
   * {@code -} and {@code .}, in the name also {@code ~}, {@code _} and {@code %XX}.
   */
  public static boolean isPid(String text) {
    return text.length() <= MAX_PID_LENGTH && PID.matcher(text).matches();
  }
}
