package org.fedometer.driver.journal;

/** What an entry of a journal says; the code is in the lowest bits of its first number. */
enum EntryKind {
  BEGUN(0),
  ACKNOWLEDGED(1),
  ACKNOWLEDGED_WITH_ADDITIONS(2),
  FAILED(3),
  /** No longer taken for acknowledged: it is to be ingested again. */
  WITHDRAWN(4),
  CONFIRMED(5),
  FLUSH_BEGUN(6),
  FLUSH_CONFIRMED(7),
  FLUSH_FAILED(8),
  /** What was acknowledged and not confirmed may have got lost. */
  ALL_UNCONFIRMED(9),
  /** All of the state; the first entry of a file. */
  CHECKPOINT(10),
  /** Acknowledged by nobody, but found to be there: Fedora may have lost a part of it. */
  UNCONFIRMED(11),
  /** As WITHDRAWN, with what it had added to others. */
  WITHDRAWN_WITH_ADDITIONS(12);

  static final int BITS = 4;

  private final int code;

  EntryKind(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Null for a code of a later version. */
  static EntryKind of(int code) {
    return code < values().length ? values()[code] : null;
  }
}
