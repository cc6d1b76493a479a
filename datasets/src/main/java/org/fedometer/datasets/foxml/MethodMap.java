package org.fedometer.datasets.foxml;

import java.util.HashSet;
import java.util.Set;
import org.fedometer.datasets.StoredLiteral;

/** Names of the methods that a service definition's METHODMAP defines, one triple each. */
final class MethodMap implements Metadata {

  private static final String NAMESPACE = "http://fedora.comm.nsdlib.org/service/methodmap";

  private final Set<String> methods = new HashSet<>();
  private boolean found;
  private int maxLiteralBytes;

  @Override
  public void start(MetadataElement element) throws UnusableFoxmlException {
    // Fedora's parser ignores case here.
    if (!element.namespace().equalsIgnoreCase(NAMESPACE)) {
      return;
    }
    if (element.name().equalsIgnoreCase("MethodMap")) {
      found = true;
    } else if (element.name().equalsIgnoreCase("Method")) {
      String name = element.value("", "operationName");
      if (!found || name == null) {
        throw new UnusableFoxmlException(
            found
                ? "has a METHODMAP with a method without operationName, on which Fedora fails"
                : "has a METHODMAP with a method outside of the map, on which Fedora fails");
      }
      methods.add(name);
      maxLiteralBytes = Math.max(maxLiteralBytes, StoredLiteral.storedBytes(name));
    }
  }

  @Override
  public void text(String text) {
    // Everything is in attributes.
  }

  @Override
  public void end(String name) {
    // Everything is in start tags.
  }

  @Override
  public void end() throws UnusableFoxmlException {
    if (!found) {
      throw new UnusableFoxmlException(
          "is a service definition whose METHODMAP has no fmm:MethodMap");
    }
  }

  int triples() {
    return methods.size();
  }

  @Override
  public int maxLiteralBytes() {
    return maxLiteralBytes;
  }
}
