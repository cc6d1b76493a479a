package org.fedometer.repair;

/** What a crash of Fedora can leave. */
public enum Inconsistency {
  /** Something of a PID is there, but not the object: a row, content, triples. */
  NO_OBJECT("no-object"),
  /** The object's file is there, but is no FOXML that Fedora could read, or that of another PID. */
  BROKEN_OBJECT("broken-object"),
  /** The object's file is there and readable, but Fedora does not know of it. */
  NOT_REGISTERED("not-registered"),
  /** The object is registered, but cannot be searched for. */
  NOT_IN_FIELD_INDEX("not-in-field-index"),
  /** The triplestore was to have a table for a predicate, and has none: it cannot be read. */
  PREDICATE_WITHOUT_TABLE("predicate-without-table"),
  /** The triplestore lacks triples of the object, or has others than it states. */
  TRIPLES_DIFFER("triples-differ"),
  /** The object names managed content that is not there, or is shorter than it was. */
  CONTENT_MISSING("content-missing"),
  /** Managed content of the object that it does not name. */
  CONTENT_SURPLUS("content-surplus"),
  /** A file that Fedora was writing, or writing over, and would not look for. */
  REPLACEMENT_CUT_SHORT("replacement-cut-short"),
  /** A file that was uploaded or unpacked for a request that has never ended. */
  TEMPORARY_FILE("temporary-file");

  private final String id;

  Inconsistency(String id) {
    this.id = id;
  }

  /** As reports, JSON and documentation have it. */
  public String id() {
    return id;
  }

  static Inconsistency of(String id) {
    for (Inconsistency inconsistency : values()) {
      if (inconsistency.id.equals(id)) {
        return inconsistency;
      }
    }
    throw new IllegalArgumentException("no damage is called " + id);
  }
}
