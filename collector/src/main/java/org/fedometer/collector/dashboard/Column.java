package org.fedometer.collector.dashboard;

/** One value per bucket of a {@link Timeline}, mergeable. For one thread. */
interface Column<C extends Column<C>> {
  /** Moves each bucket to its new index; merges buckets that coincide. */
  void move(Timeline.BucketMapping to);

  /** Adds the buckets of another timeline with the same bucket length. */
  void addAll(C other, Timeline.BucketMapping to);
}
