package org.fedometer.driver.journal;

/** Kind of a journal entry; the code is in the lowest bits of the entry's first number. */
enum EntryKind {
  BEGUN(0),
  ACKNOWLEDGED(1),
  ACKNOWLEDGED_WITH_ADDITIONS(2),
  FAILED(3),
  /** No longer acknowledged: to be ingested again. */
  WITHDRAWN(4),
  CONFIRMED(5),
  FLUSH_BEGUN(6),
  FLUSH_CONFIRMED(7),
  FLUSH_FAILED(8),
  /** Acknowledged and unflushed objects may be lost. */
  ALL_UNCONFIRMED(9),
  /** The complete state; first entry of a file. */
  CHECKPOINT(10),
  /** An existing object of which Fedora may have lost a part. */
  UNCONFIRMED(11),
  /** Like WITHDRAWN, with the statements it had added to others. */
  WITHDRAWN_WITH_ADDITIONS(12);

  static final int BITS = 4;

  private final int code;

  EntryKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Returns null for a code of a later version. */
  static EntryKind of(int code) {
    return code < values().length ? values()[code] : null;
  }
}
