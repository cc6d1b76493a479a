package org.fedometer.driver.journal;

/**
 * State of an ingest: the outcome of all journal entries. Not thread-safe.
 *
 * <p>An index is not begun, pending, acknowledged or failed. An acknowledged one may also be
 * unflushed (no flush of triples was confirmed since) or unconfirmed (Fedora was away since, or a
 * flush failed).
 */
public final class JournalState {

  private final IndexRanges acknowledged;
  private final IndexRanges pending;
  private final IndexRanges failed;
  private final IndexRanges unflushed;

  /** Acknowledged before the flush that is under way. */
  private final IndexRanges flushing;

  private final IndexRanges unconfirmed;
  private final Stride stride;
  private long nextIndex;
  private Totals totals = Totals.NONE;

  /** Creates the state of a new ingest. */
  JournalState(long firstIndex, Stride stride) {
    nextIndex = firstIndex;
    this.stride = stride;
    acknowledged = new IndexRanges(stride);
    pending = new IndexRanges(stride);
    failed = new IndexRanges(stride);
    unflushed = new IndexRanges(stride);
    flushing = new IndexRanges(stride);
    unconfirmed = new IndexRanges(stride);
  }

  JournalState copy() {
    JournalState copy = new JournalState(nextIndex, stride);
    copy.acknowledged.addAll(acknowledged);
    copy.pending.addAll(pending);
    copy.failed.addAll(failed);
    copy.unflushed.addAll(unflushed);
    copy.flushing.addAll(flushing);
    copy.unconfirmed.addAll(unconfirmed);
    copy.totals = totals;
    return copy;
  }

  public Stride stride() {
    return stride;
  }

  /** Objects that Fedora holds. */
  public IndexRanges acknowledged() {
    return acknowledged;
  }

  /** Objects that were begun and neither acknowledged nor abandoned. */
  public IndexRanges pending() {
    return pending;
  }

  public IndexRanges failed() {
    return failed;
  }

  /** Returns acknowledged objects whose triples may still be only in Fedora's memory; for tests. */
  IndexRanges unflushed() {
    IndexRanges all = unflushed.copy();
    all.addAll(flushing);
    return all;
  }

  /** Returns acknowledged objects that, or whose triples, may be lost. */
  public IndexRanges unconfirmed() {
    return unconfirmed;
  }

  /** Returns one above the highest begun index, or the ingest's first index. */
  public long nextIndex() {
    return nextIndex;
  }

  /** Returns whether no object was begun. */
  boolean isEmpty() {
    return acknowledged.isEmpty() && pending.isEmpty() && failed.isEmpty();
  }

  public Totals totals() {
    return totals;
  }

  void begun(long index) {
    if (acknowledged.contains(index)) {
      throw new IllegalStateException("Object " + index + " has been acknowledged.");
    }
    pending.add(index);
    failed.remove(index);
    nextIndex = Math.max(nextIndex, index + 1);
  }

  void acknowledged(Acknowledged object) {
    pending.remove(object.index());
    if (acknowledged.add(object.index())) {
      totals = totals.plus(object);
    }
    unflushed.add(object.index());
    nextIndex = Math.max(nextIndex, object.index() + 1);
  }

  void failed(long index) {
    pending.remove(index);
    failed.add(index);
    nextIndex = Math.max(nextIndex, index + 1);
  }

  void withdrawn(long index, long triples, long contentBytes, long additions) {
    if (acknowledged.remove(index)) {
      totals = totals.minus(triples, contentBytes, additions);
    }
    unflushed.remove(index);
    flushing.remove(index);
    unconfirmed.remove(index);
    pending.add(index);
  }

  void flushBegun() {
    flushing.addAll(unflushed);
    unflushed.clear();
  }

  void flushConfirmed() {
    flushing.clear();
  }

  void flushFailed() {
    unconfirmed.addAll(flushing);
    flushing.clear();
  }

  void allUnconfirmed() {
    unconfirmed.addAll(unflushed);
    unconfirmed.addAll(flushing);
    unflushed.clear();
    flushing.clear();
  }

  void unconfirmed(long index) {
    if (acknowledged.contains(index)) {
      unflushed.remove(index);
      flushing.remove(index);
      unconfirmed.add(index);
    }
  }

  void confirmed(long index) {
    unconfirmed.remove(index);
  }

  // For checkpoints.

  IndexRanges acknowledgedSinceFlush() {
    return unflushed;
  }

  IndexRanges flushing() {
    return flushing;
  }

  void restore(Totals restoredTotals) {
    totals = restoredTotals;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JournalState that
        && stride.equals(that.stride)
        && nextIndex == that.nextIndex
        && totals.equals(that.totals)
        && acknowledged.equals(that.acknowledged)
        && pending.equals(that.pending)
        && failed.equals(that.failed)
        && unflushed.equals(that.unflushed)
        && flushing.equals(that.flushing)
        && unconfirmed.equals(that.unconfirmed);
  }

  @Override
  public int hashCode() {
    return acknowledged.hashCode();
  }

  @Override
  public String toString() {
    return "next "
        + nextIndex
        + ", acknowledged "
        + acknowledged
        + ", pending "
        + pending
        + ", failed "
        + failed
        + ", unflushed "
        + unflushed
        + ", flushing "
        + flushing
        + ", unconfirmed "
        + unconfirmed
        + ", "
        + totals;
  }
}
