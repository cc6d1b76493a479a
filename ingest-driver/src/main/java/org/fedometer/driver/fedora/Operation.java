package org.fedometer.driver.fedora;

/**
 * What a request sets out to do. Its name on the wire is also that in the store and in reports,
 * where a name that another version gave stays what it is.
 */
public enum Operation {
  /** A new object, with its datastreams unless they are added one by one. */
  INGEST("ingest"),
  /** Content that a later request refers to. */
  UPLOAD("upload"),
  /** A statement more in an object's RELS-EXT. */
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
  /** What was ingested last: a search by the date of creation. */
  FIND_NEWEST("find-newest"),
  RISEARCH("risearch"),
  /** Triples that wait in Fedora's memory are written to the triplestore. */
  FLUSH_TRIPLES("flush-triples"),
  OAI_IDENTIFY("oai-identify"),
  OAI_LIST_METADATA_FORMATS("oai-list-metadata-formats"),
  /** The sets there are by OAI-PMH; Fedora has none. */
  OAI_LIST_SETS("oai-list-sets"),
  OAI_LIST_IDENTIFIERS("oai-list-identifiers"),
  OAI_LIST_RECORDS("oai-list-records"),
  OAI_GET_RECORD("oai-get-record");

  private final String wireName;

  Operation(String wireName) {
    this.wireName = wireName;
  }

  /** Lower case, words joined by hyphens, at most 64 bytes. */
  public String wireName() {
    return wireName;
  }
}
