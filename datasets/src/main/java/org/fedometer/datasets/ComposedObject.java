package org.fedometer.datasets;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An object in parts, which {@link FoxmlWriter} packages. Refuses values that Fedora would refuse
 * at ingest.
 *
 * @param pid the PID, at most 64 characters
 * @param label the label, at most 255 characters
 * @param content managed content streams, in order, with different identifiers
 * @param relationships statements of RELS-EXT in document order; Fedora merges duplicates
 * @param versions whether Fedora stores earlier versions of a changed datastream
 */
public record ComposedObject(
    String pid,
    String label,
    List<ContentStream> content,
    List<DublinCoreValue> dublinCore,
    List<Relationship> relationships,
    boolean versions)
    implements RepositoryObject {

  /** Stricter than Fedora, because no dataset needs more. */
  private static final Pattern PID = Pattern.compile("[A-Za-z0-9.-]+:[A-Za-z0-9.~_-]+");

  public ComposedObject {
    if (pid.length() > FedoraRules.MAX_PID_LENGTH || !PID.matcher(pid).matches()) {
      throw new IllegalArgumentException(
          "'"
              + pid
              + "' is not a valid PID: expected namespace:name of at most 64 letters, digits,"
              + " '.' and '-', in the name also '~' and '_'");
    }
    if (label.length() > FedoraRules.MAX_LABEL_LENGTH) {
      throw new IllegalArgumentException(
          "the label of %s has %d characters; Fedora allows 255".formatted(pid, label.length()));
    }
    content = List.copyOf(content);
    dublinCore = List.copyOf(dublinCore);
    relationships = List.copyOf(relationships);
    Set<String> identifiers = new HashSet<>(Set.of("DC", "RELS-EXT"));
    for (ContentStream stream : content) {
      if (!identifiers.add(stream.id())) {
        throw new IllegalArgumentException("%s has two datastreams %s".formatted(pid, stream.id()));
      }
    }
  }

  /** Creates an object for which Fedora stores every datastream version, as by default. */
  public ComposedObject(
      String pid,
      String label,
      List<ContentStream> content,
      List<DublinCoreValue> dublinCore,
      List<Relationship> relationships) {
    this(pid, label, content, dublinCore, relationships, true);
  }

  /**
   * Returns the Dublin Core values as Fedora stores them: trimmed and without duplicates. Fedora
   * adds the PID as an identifier if it is missing.
   */
  public Set<DublinCoreValue> storedDublinCore() {
    Set<DublinCoreValue> stored = new LinkedHashSet<>();
    for (DublinCoreValue value : dublinCore) {
      stored.add(new DublinCoreValue(value.element(), XmlText.asStored(value.value())));
    }
    stored.add(new DublinCoreValue("identifier", pid));
    return stored;
  }

  /**
   * Returns the statements of RELS-EXT as Fedora stores them: literals trimmed, without duplicates.
   */
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
