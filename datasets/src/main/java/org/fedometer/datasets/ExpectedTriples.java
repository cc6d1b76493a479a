package org.fedometer.datasets;

import static org.fedometer.datasets.FedoraVocabulary.HAS_MODEL;
import static org.fedometer.datasets.FedoraVocabulary.OBJECT_MODEL;

import java.util.Set;

/**
 * How many triples Fedora 3.8.1 puts into its resource index for an object: what the verification
 * of a run compares with the count in the triplestore. Found in Fedora's triple generators and
 * checked against a real one.
 */
public final class ExpectedTriples {

  /** DC and RELS-EXT, which {@link FoxmlWriter} writes for every object. */
  private static final int METADATA_DATASTREAMS = 2;

  private static final Relationship IMPLICIT_MODEL =
      Relationship.toResource(HAS_MODEL, OBJECT_MODEL);

  private ExpectedTriples() {}

  /**
   * Counts the triples of an object that was written by {@link FoxmlWriter}. Values that are equal
   * after Fedora trimmed them make one triple.
   */
  public static int of(ComposedObject object) {
    Set<Relationship> relationships = object.storedRelationships();
    relationships.add(IMPLICIT_MODEL);
    return FedoraRules.TRIPLES_OF_AN_OBJECT
        + FedoraRules.TRIPLES_OF_A_DATASTREAM * (object.content().size() + METADATA_DATASTREAMS)
        + object.storedDublinCore().size()
        + relationships.size();
  }
}
