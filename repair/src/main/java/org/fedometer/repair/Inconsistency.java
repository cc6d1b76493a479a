package org.fedometer.repair;

/** Inconsistencies that a crash of Fedora can leave. */
public enum Inconsistency {
  /** Some data of a PID exists, but not the object: a row, content, triples. */
  NO_OBJECT("no-object"),
  /** The object's file exists, but is not FOXML that Fedora could read, or has another PID. */
  BROKEN_OBJECT("broken-object"),
  /** The object's file exists and is readable, but Fedora does not know it. */
  NOT_REGISTERED("not-registered"),
  /** The object is registered, but cannot be searched for. */
  NOT_IN_FIELD_INDEX("not-in-field-index"),
  /** The triplestore lacks the table that it planned for a predicate, and cannot be read. */
  PREDICATE_WITHOUT_TABLE("predicate-without-table"),
  /** The triplestore lacks triples of the object, or has others than it states. */
  TRIPLES_DIFFER("triples-differ"),
  /** The object lists managed content that is missing or too short. */
  CONTENT_MISSING("content-missing"),
  /** Managed content of the object that it does not list. */
  CONTENT_SURPLUS("content-surplus"),
  /** A file that Fedora was writing or overwriting, and would not look for. */
  REPLACEMENT_CUT_SHORT("replacement-cut-short"),
  /** A file uploaded or unpacked for a request that never ended. */
  TEMPORARY_FILE("temporary-file");

  private final String id;

  Inconsistency(String id) {
    this.id = id;
  }

  /** Returns the name in reports, JSON and documentation. */
  public String id() {
    return id;
  }

  static Inconsistency of(String id) {
    for (Inconsistency inconsistency : values()) {
      if (inconsistency.id.equals(id)) {
        return inconsistency;
      }
    }
    throw new IllegalArgumentException("unknown inconsistency " + id);
  }
}
