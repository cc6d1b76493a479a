package org.fedometer.datasets;

import static org.fedometer.datasets.FedoraVocabulary.MODEL;
import static org.fedometer.datasets.FedoraVocabulary.VIEW;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * One statement of RELS-EXT about the object itself. Refuses values that Fedora's validator of
 * relationships would refuse, so that a dataset fails at creation and not at ingest.
 *
 * @param predicate the full URI, which must end in an XML name; not of the Dublin Core or
 *     fedora-view namespaces, and of fedora-model only hasModel, hasService, isContractorOf and
 *     isDeploymentOf
 * @param object an absolute URI, or the text of a plain literal
 */
public record Relationship(String predicate, String object, boolean literal) {

  public Relationship {
    int split = nameStart(predicate);
    if (split == predicate.length() || predicate.lastIndexOf(':', split - 1) < 1) {
      throw new IllegalArgumentException(
          "'" + predicate + "' cannot be a predicate: it must be a URI that ends in an XML name");
    }
    String namespace = predicate.substring(0, split);
    boolean ofModel = namespace.equals(MODEL);
    if (namespace.equals(VIEW)
        || FedoraRules.DUBLIN_CORE_NAMESPACES.contains(namespace)
        || ofModel && !FedoraRules.MODEL_NAMES_OF_RELS_EXT.contains(predicate.substring(split))) {
      throw new IllegalArgumentException(
          "RELS-EXT may not use the predicate " + predicate + ", which Fedora reserves");
    }
    if (object.isBlank()) {
      throw new IllegalArgumentException("the object of " + predicate + " is blank");
    }
    if (literal && ofModel) {
      throw new IllegalArgumentException(predicate + " needs a URI, not a literal");
    }
    if (!literal) {
      requireAbsoluteUri(predicate, object);
    }
  }

  public static Relationship toResource(String predicate, String uri) {
    return new Relationship(predicate, uri, false);
  }

  public static Relationship toLiteral(String predicate, String text) {
    return new Relationship(predicate, text, true);
  }

  /** Returns the XML namespace. */
  String predicateNamespace() {
    return predicate.substring(0, nameStart(predicate));
  }

  String predicateName() {
    return predicate.substring(nameStart(predicate));
  }

  /**
   * Returns the start of the longest XML name at the end of the URI; the URI's length if there is
   * none.
   */
  private static int nameStart(String uri) {
    int start = uri.length();
    while (start > 0 && isNameCharacter(uri.charAt(start - 1))) {
      start--;
    }
    while (start < uri.length() && !isNameBeginning(uri.charAt(start))) {
      start++;
    }
    return start;
  }

  private static boolean isNameBeginning(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  private static boolean isNameCharacter(char c) {
    return isNameBeginning(c) || c >= '0' && c <= '9' || c == '-' || c == '.';
  }

  private static void requireAbsoluteUri(String predicate, String object) {
    try {
      if (!new URI(object).isAbsolute()) {
        throw new IllegalArgumentException(
            "the object of %s must be an absolute URI, not '%s'".formatted(predicate, object));
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "the object of %s is not a URI: %s".formatted(predicate, e.getMessage()), e);
    }
  }
}
