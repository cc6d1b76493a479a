package org.fedometer.datasets;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One statement of RELS-EXT; the subject is the object itself. Refuses what Fedora's validator of
 * relationships would refuse, so that a dataset fails where it is written and not at ingest.
 *
 * @param predicate full URI, which must end in an XML name; not of the Dublin Core or fedora-view
 *     namespaces, and of fedora-model only hasModel, hasService, isContractorOf and isDeploymentOf
 * @param object absolute URI, or the text of a plain literal
 * @param literal whether {@code object} is a literal
 */
public record Relationship(String predicate, String object, boolean literal) {

  private static final Pattern PREDICATE =
      Pattern.compile("([a-z][a-z0-9+.-]*:\\S*[^A-Za-z0-9._-])([A-Za-z_][A-Za-z0-9._-]*)");

  private static final String MODEL = "info:fedora/fedora-system:def/model#";

  private static final Pattern RESERVED =
      Pattern.compile(
          "http://purl\\.org/dc/elements/1\\.1/.*"
              + "|http://www\\.openarchives\\.org/OAI/2\\.0/oai_dc/.*"
              + "|info:fedora/fedora-system:def/view#.*"
              + "|"
              + Pattern.quote(MODEL)
              + "(?!(hasModel|hasService|isContractorOf|isDeploymentOf)$).*");

  public Relationship {
    if (!PREDICATE.matcher(predicate).matches()) {
      throw new IllegalArgumentException(
          "'" + predicate + "' cannot be a predicate: it must be a URI that ends in an XML name");
    }
    if (RESERVED.matcher(predicate).matches()) {
      throw new IllegalArgumentException(
          "Fedora keeps the predicate " + predicate + " to itself: RELS-EXT may not use it");
    }
    if (object.isBlank()) {
      throw new IllegalArgumentException("the object of " + predicate + " is blank");
    }
    if (literal && predicate.startsWith(MODEL)) {
      throw new IllegalArgumentException(predicate + " needs a URI, not a literal");
    }
    if (!literal) {
      requireAbsoluteUri(predicate, object);
    }
  }

  /** A statement about another resource. */
  public static Relationship toResource(String predicate, String uri) {
    return new Relationship(predicate, uri, false);
  }

  /** A statement with a plain literal. */
  public static Relationship toLiteral(String predicate, String text) {
    return new Relationship(predicate, text, true);
  }

  /** The predicate up to its last name: what XML calls the namespace. */
  String predicateNamespace() {
    return part(1);
  }

  /** The last name of the predicate: the element's local name in XML. */
  String predicateName() {
    return part(2);
  }

  private String part(int group) {
    Matcher matcher = PREDICATE.matcher(predicate);
    if (!matcher.matches()) {
      throw new IllegalStateException(predicate);
    }
    return matcher.group(group);
  }

  private static void requireAbsoluteUri(String predicate, String object) {
    try {
      if (!new URI(object).isAbsolute()) {
        throw new IllegalArgumentException(
            "the object of %s must be an absolute URI, not '%s'".formatted(predicate, object));
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "the object of %s is no URI: %s".formatted(predicate, e.getMessage()), e);
    }
  }
}
