package org.fedometer.datasets;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One object before it is packaged: what Fedora is asked to hold. Refuses what Fedora would refuse
 * at ingest.
 *
 * @param pid Fedora's identifier, {@code namespace:name}, at most 64 characters
 * @param label the object's label, at most 255 characters
 * @param content managed content streams, in order; their identifiers differ
 * @param dublinCore values of the DC datastream in document order
 * @param relationships statements of RELS-EXT in document order; duplicates collapse in Fedora
 */
public record RepositoryObject(
    String pid,
    String label,
    List<ContentStream> content,
    List<DublinCoreValue> dublinCore,
    List<Relationship> relationships) {

  private static final Pattern PID = Pattern.compile("[A-Za-z0-9.-]+:[A-Za-z0-9.~_-]+");
  private static final int LONGEST_PID = 64;
  private static final int LONGEST_LABEL = 255;

  public RepositoryObject {
    if (pid.length() > LONGEST_PID || !PID.matcher(pid).matches()) {
      throw new IllegalArgumentException(
          "'"
              + pid
              + "' cannot be a PID: it must be namespace:name of letters, digits and . - (in the"
              + " name ~ _ too), at most 64 characters");
    }
    if (label.length() > LONGEST_LABEL) {
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
}
