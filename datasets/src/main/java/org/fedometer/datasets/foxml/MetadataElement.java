package org.fedometer.datasets.foxml;

import java.util.List;

/**
 * A start tag inside a datastream from which Fedora makes triples.
 *
 * @param namespace empty for none
 */
record MetadataElement(String namespace, String name, List<Attribute> attributes) {

  static final String XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";

  /**
   * @param namespace empty for none
   */
  record Attribute(String namespace, String name, String value) {}

  boolean is(String wantedNamespace, String wantedName) {
    return name.equals(wantedName) && namespace.equals(wantedNamespace);
  }

  /** Returns the attribute's value, or null. */
  String value(String attributeNamespace, String attributeName) {
    for (Attribute attribute : attributes) {
      if (attribute.name.equals(attributeName) && attribute.namespace.equals(attributeNamespace)) {
        return attribute.value;
      }
    }
    return null;
  }
}
