package org.fedometer.driver.fedora;

/**
 * Kind of a request. Its wire name is also used in the store and in reports, which keep unknown
 * names of other versions.
 */
public enum Operation {
  /** A new object, with its datastreams unless they are added one by one. */
  INGEST("ingest"),
  /** Content for a later request. */
  UPLOAD("upload"),
  /** Another statement in an object's RELS-EXT. */
  ADD_RELATIONSHIP("add-relationship"),
  ADD_DATASTREAM("add-datastream"),
  /** A new version of a datastream. */
  MODIFY_DATASTREAM("modify-datastream"),
  PURGE("purge"),
  GET_OBJECT("get-object"),
  GET_DATASTREAM("get-datastream"),
  GET_DC("get-dc"),
  /** A search by fields. */
  FIND_OBJECTS("find-objects"),
  /** A search by date of creation for the latest objects. */
  FIND_NEWEST("find-newest"),
  RISEARCH("risearch"),
  /** Fedora writes buffered triples to the triplestore. */
  FLUSH_TRIPLES("flush-triples"),
  OAI_IDENTIFY("oai-identify"),
  OAI_LIST_METADATA_FORMATS("oai-list-metadata-formats"),
  /** The sets of OAI-PMH; Fedora has none. */
  OAI_LIST_SETS("oai-list-sets"),
  OAI_LIST_IDENTIFIERS("oai-list-identifiers"),
  OAI_LIST_RECORDS("oai-list-records"),
  OAI_GET_RECORD("oai-get-record");

  private final String wireName;

  Operation(String wireName) {
    this.wireName = wireName;
  }

  /** Returns a name in lower case, words joined by hyphens, at most 64 bytes. */
  public String wireName() {
    return wireName;
  }
}
