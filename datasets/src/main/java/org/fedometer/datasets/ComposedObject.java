package org.fedometer.datasets;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An object in its parts, which {@link FoxmlWriter} packages. Refuses what Fedora would refuse at
 * ingest.
 *
 * @param pid at most 64 characters
 * @param label at most 255 characters
 * @param content managed content streams, in order; their identifiers differ
 * @param relationships statements of RELS-EXT in document order; duplicates collapse in Fedora
 * @param versions whether Fedora keeps earlier versions of a datastream that is changed later
 */
public record ComposedObject(
    String pid,
    String label,
    List<ContentStream> content,
    List<DublinCoreValue> dublinCore,
    List<Relationship> relationships,
    boolean versions)
    implements RepositoryObject {

  /** Less than Fedora allows: no dataset needs more. */
  private static final Pattern PID = Pattern.compile("[A-Za-z0-9.-]+:[A-Za-z0-9.~_-]+");

  public ComposedObject {
    if (pid.length() > FedoraRules.MAX_PID_LENGTH || !PID.matcher(pid).matches()) {
      throw new IllegalArgumentException(
          "'"
              + pid
              + "' cannot be a PID: it must be namespace:name of letters, digits and . - (in the"
              + " name ~ _ too), at most 64 characters");
    }
    if (label.length() > FedoraRules.MAX_LABEL_LENGTH) {
      throw new IllegalArgumentException(
          "the label of %s has %d characters; Fedora takes 255".formatted(pid, label.length()));
    }
    content = List.copyOf(content);
    dublinCore = List.copyOf(dublinCore);
    relationships = List.copyOf(relationships);
    Set<String> identifiers = new HashSet<>(Set.of("DC", "RELS-EXT"));
    for (ContentStream stream : content) {
      if (!identifiers.add(stream.id())) {
        throw new IllegalArgumentException("%s has %s twice".formatted(pid, stream.id()));
      }
    }
  }

  /** One of whose datastreams Fedora keeps every version, as it does by itself. */
  public ComposedObject(
      String pid,
      String label,
      List<ContentStream> content,
      List<DublinCoreValue> dublinCore,
      List<Relationship> relationships) {
    this(pid, label, content, dublinCore, relationships, true);
  }

  /**
   * The Dublin Core values as Fedora keeps them: trimmed, equal ones once, and the PID as an
   * identifier, which Fedora adds where it is missing.
   */
  public Set<DublinCoreValue> storedDublinCore() {
    Set<DublinCoreValue> stored = new LinkedHashSet<>();
    for (DublinCoreValue value : dublinCore) {
      stored.add(new DublinCoreValue(value.element(), XmlText.asStored(value.value())));
    }
    stored.add(new DublinCoreValue("identifier", pid));
    return stored;
  }

  /** The statements of RELS-EXT as Fedora keeps them: literals trimmed, equal ones once. */
  public Set<Relationship> storedRelationships() {
    Set<Relationship> stored = new LinkedHashSet<>();
    for (Relationship relationship : relationships) {
      stored.add(
          new Relationship(
              relationship.predicate(),
              XmlText.asStored(relationship.object()),
              relationship.literal()));
    }
    return stored;
  }

  @Override
  public Set<String> datastreamIds() {
    Set<String> ids = new LinkedHashSet<>();
    content.forEach(stream -> ids.add(stream.id()));
    ids.add("DC");
    ids.add("RELS-EXT");
    return ids;
  }

  @Override
  public int triples() {
    return ExpectedTriples.of(this);
  }

  @Override
  public long foxmlBytes() {
    return FoxmlWriter.sizeBytes(this);
  }

  @Override
  public void writeFoxml(OutputStream out) throws IOException {
    FoxmlWriter.write(this, out);
  }
}
