package org.fedometer.collector.dashboard;

/**
 * One figure in each bucket of a {@link Timeline}, in a form that can be merged. For one thread.
 */
interface Column<C extends Column<C>> {
  /** Gives each bucket its place among fewer, or further right; those that meet are merged. */
  void move(Timeline.BucketMapping to);

  /** Adds those of another course of the same length of buckets. */
  void addAll(C other, Timeline.BucketMapping to);
}
