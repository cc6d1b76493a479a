package org.fedometer.collector.dashboard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** Keeps the newest single entries of a run, such as its warnings. For one thread. */
final class NewestEntries<T> {
  private final int max;
  private final ToLongFunction<T> time;
  private final ArrayDeque<T> newest = new ArrayDeque<>();
  private long added;
  private long addedBefore;

  /** Creates an empty list; the time is in milliseconds since 1970. */
  NewestEntries(int max, ToLongFunction<T> time) {
    this.max = max;
    this.time = time;
  }

  void add(T one) {
    if (newest.size() == max) {
      newest.removeFirst();
    }
    newest.add(one);
    added++;
  }

  /** Adds entries that precede all others. */
  void addEarlier(List<T> earlier) {
    List<T> all = new ArrayList<>(earlier);
    all.addAll(newest);
    newest.clear();
    newest.addAll(all.subList(Math.max(0, all.size() - max), all.size()));
    added += earlier.size();
  }

  /** Returns the kept entries, by time. */
  List<T> all() {
    return newest.stream().sorted(Comparator.comparingLong(time)).toList();
  }

  boolean hasNew() {
    return added > addedBefore;
  }

  /** Returns the kept entries added since the last call. */
  List<T> takeNew() {
    int fresh = (int) Math.min(newest.size(), added - addedBefore);
    addedBefore = added;
    return new ArrayList<>(newest)
        .subList(newest.size() - fresh, newest.size()).stream()
            .sorted(Comparator.comparingLong(time))
            .toList();
  }
}
