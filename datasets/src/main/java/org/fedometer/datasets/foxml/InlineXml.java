package org.fedometer.datasets.foxml;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.codehaus.stax2.XMLStreamReader2;

/**
 * Namespaces of inline XML after Fedora has cut it out of the FOXML. Fedora retains inner
 * declarations. Of prefixes declared outside, only the first element that uses one gets the
 * declaration. The result may no longer be well-formed. For one piece of inline XML.
 */
final class InlineXml {

  /** Prefixes that Fedora regards as declared. */
  private final Set<String> known = new HashSet<>();

  /** Declared prefixes for each open element. */
  private final List<Set<String>> declared = new ArrayList<>();

  /** Returns the start tag at the cursor as Fedora passes it on. */
  MetadataElement start(XMLStreamReader2 at) throws UnusableFoxmlException {
    Set<String> inScope =
        new HashSet<>(declared.isEmpty() ? Set.of() : declared.get(declared.size() - 1));
    for (int i = 0; i < at.getNamespaceCount(); i++) {
      String prefix = text(at.getNamespacePrefix(i));
      known.add(prefix);
      inScope.add(prefix);
    }
    String prefix = text(at.getPrefix());
    if (!prefix.isEmpty() && known.add(prefix)) {
      inScope.add(prefix);
    }
    declared.add(inScope);
    List<MetadataElement.Attribute> attributes = new ArrayList<>(at.getAttributeCount());
    for (int i = 0; i < at.getAttributeCount(); i++) {
      requireDeclared(text(at.getAttributePrefix(i)), inScope);
      attributes.add(
          new MetadataElement.Attribute(
              text(at.getAttributeNamespace(i)),
              at.getAttributeLocalName(i),
              at.getAttributeValue(i)));
    }
    requireDeclared(prefix, inScope);
    boolean hasNamespace = !prefix.isEmpty() || inScope.contains("");
    return new MetadataElement(
        hasNamespace ? text(at.getNamespaceURI()) : "", at.getLocalName(), attributes);
  }

  private static void requireDeclared(String prefix, Set<String> inScope)
      throws UnusableFoxmlException {
    if (!prefix.isEmpty() && !prefix.equals("xml") && !inScope.contains(prefix)) {
      throw new UnusableFoxmlException(
          ("has inline XML with the prefix %s, which is declared outside of it: Fedora"
                  + " loses the declaration")
              .formatted(prefix));
    }
  }

  void end(XMLStreamReader2 at) {
    for (int i = 0; i < at.getNamespaceCount(); i++) {
      known.remove(text(at.getNamespacePrefix(i)));
    }
    declared.remove(declared.size() - 1);
  }

  private static String text(String orNull) {
    return orNull == null ? "" : orNull;
  }
}
