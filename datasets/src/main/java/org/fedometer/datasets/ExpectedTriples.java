package org.fedometer.datasets;

import static org.fedometer.datasets.FedoraVocabulary.HAS_MODEL;
import static org.fedometer.datasets.FedoraVocabulary.OBJECT_MODEL;

import java.util.Set;

/**
 * Number of triples that Fedora 3.8.1 puts into its resource index for an object. The verification
 * of a run compares it with the count in the triplestore. Derived from Fedora's triple generators
 * and checked against a real Fedora.
 */
public final class ExpectedTriples {

  /** DC and RELS-EXT, which {@link FoxmlWriter} writes for every object. */
  private static final int METADATA_DATASTREAMS = 2;

  private static final Relationship IMPLICIT_MODEL =
      Relationship.toResource(HAS_MODEL, OBJECT_MODEL);

  private ExpectedTriples() {}

  /**
   * Counts the triples of an object written by {@link FoxmlWriter}. Values that are equal after
   * Fedora's trimming make one triple.
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
