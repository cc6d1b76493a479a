package org.fedometer.datasets;

import java.util.List;
import java.util.Objects;

/**
 * One object before it is packaged: what Fedora is asked to hold.
 *
 * @param pid Fedora's identifier, {@code namespace:name}
 * @param label the object's label
 * @param content managed content streams, in order
 * @param dublinCore values of the DC datastream in document order
 * @param relationships statements of RELS-EXT in document order; duplicates collapse in Fedora
 */
public record RepositoryObject(
    String pid,
    String label,
    List<ContentStream> content,
    List<DublinCoreValue> dublinCore,
    List<Relationship> relationships) {

  public RepositoryObject {
    Objects.requireNonNull(pid, "pid");
    Objects.requireNonNull(label, "label");
    content = List.copyOf(content);
    dublinCore = List.copyOf(dublinCore);
    relationships = List.copyOf(relationships);
  }
}
