package org.fedometer.driver.journal;

/**
 * What a journal says of an ingest: the outcome of all its entries. For one thread at a time.
 *
 * <p>An index is in one of these: not begun, in doubt, acknowledged, failed. Acknowledged ones may
 * be unconfirmed (no flush of triples was confirmed since) or suspect (Fedora was away since, or a
 * flush failed).
 */
public final class JournalState {

  private final IndexRanges acknowledged;
  private final IndexRanges inDoubt;
  private final IndexRanges failed;
  private final IndexRanges unconfirmed;

  /** Acknowledged before the flush that is under way. */
  private final IndexRanges flushing;

  private final IndexRanges suspects;
  private final Stride stride;
  private long nextIndex;
  private Totals totals = Totals.NONE;

  /** Of an ingest that begins with this index. */
  JournalState(long firstIndex, Stride stride) {
    nextIndex = firstIndex;
    this.stride = stride;
    acknowledged = new IndexRanges(stride);
    inDoubt = new IndexRanges(stride);
    failed = new IndexRanges(stride);
    unconfirmed = new IndexRanges(stride);
    flushing = new IndexRanges(stride);
    suspects = new IndexRanges(stride);
  }

  JournalState copy() {
    JournalState copy = new JournalState(nextIndex, stride);
    copy.acknowledged.addAll(acknowledged);
    copy.inDoubt.addAll(inDoubt);
    copy.failed.addAll(failed);
    copy.unconfirmed.addAll(unconfirmed);
    copy.flushing.addAll(flushing);
    copy.suspects.addAll(suspects);
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

  /** Objects that were begun and neither acknowledged nor given up. */
  public IndexRanges inDoubt() {
    return inDoubt;
  }

  public IndexRanges failed() {
    return failed;
  }

  /** Acknowledged objects whose triples may still be in Fedora's memory alone; for tests. */
  IndexRanges unconfirmed() {
    IndexRanges all = unconfirmed.copy();
    all.addAll(flushing);
    return all;
  }

  /** Acknowledged objects whose triples, or which themselves, may have got lost. */
  public IndexRanges suspects() {
    return suspects;
  }

  /** One above the highest index that was begun, or the ingest's first. */
  public long nextIndex() {
    return nextIndex;
  }

  /** Whether no object was begun. */
  boolean isEmpty() {
    return acknowledged.isEmpty() && inDoubt.isEmpty() && failed.isEmpty();
  }

  public Totals totals() {
    return totals;
  }

  void begun(long index) {
    if (acknowledged.contains(index)) {
      throw new IllegalStateException("Object " + index + " has been acknowledged.");
    }
    inDoubt.add(index);
    failed.remove(index);
    nextIndex = Math.max(nextIndex, index + 1);
  }

  void acknowledged(Acknowledged object) {
    inDoubt.remove(object.index());
    if (acknowledged.add(object.index())) {
      totals = totals.plus(object);
    }
    unconfirmed.add(object.index());
    nextIndex = Math.max(nextIndex, object.index() + 1);
  }

  void failed(long index) {
    inDoubt.remove(index);
    failed.add(index);
    nextIndex = Math.max(nextIndex, index + 1);
  }

  void withdrawn(long index, long triples, long contentBytes, long additions) {
    if (acknowledged.remove(index)) {
      totals = totals.minus(triples, contentBytes, additions);
    }
    unconfirmed.remove(index);
    flushing.remove(index);
    suspects.remove(index);
    inDoubt.add(index);
  }

  void flushBegun() {
    flushing.addAll(unconfirmed);
    unconfirmed.clear();
  }

  void flushConfirmed() {
    flushing.clear();
  }

  void flushFailed() {
    suspects.addAll(flushing);
    flushing.clear();
  }

  void allSuspect() {
    suspects.addAll(unconfirmed);
    suspects.addAll(flushing);
    unconfirmed.clear();
    flushing.clear();
  }

  void suspect(long index) {
    if (acknowledged.contains(index)) {
      unconfirmed.remove(index);
      flushing.remove(index);
      suspects.add(index);
    }
  }

  void cleared(long index) {
    suspects.remove(index);
  }

  // For checkpoints.

  IndexRanges unconfirmedSinceFlush() {
    return unconfirmed;
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
        && inDoubt.equals(that.inDoubt)
        && failed.equals(that.failed)
        && unconfirmed.equals(that.unconfirmed)
        && flushing.equals(that.flushing)
        && suspects.equals(that.suspects);
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
        + ", in doubt "
        + inDoubt
        + ", failed "
        + failed
        + ", unconfirmed "
        + unconfirmed
        + ", flushing "
        + flushing
        + ", suspects "
        + suspects
        + ", "
        + totals;
  }
}
