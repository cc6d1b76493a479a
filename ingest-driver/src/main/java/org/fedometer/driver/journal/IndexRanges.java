package org.fedometer.driver.journal;

import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * A set of indices, stored as ranges: the progress of an ingest is one range and a few gaps,
 * however many millions it covers. For an ingest with a stride, ranges count only the stride's
 * indices. Not thread-safe.
 */
public final class IndexRanges {

  /** First ordinal of each range, mapped to the ordinal after its last. */
  private final NavigableMap<Long, Long> ranges = new TreeMap<>();

  private final Stride stride;
  private long size;

  public IndexRanges() {
    this(Stride.ALL);
  }

  public IndexRanges(Stride stride) {
    this.stride = stride;
  }

  /** Returns an independent copy. */
  public IndexRanges copy() {
    IndexRanges copy = new IndexRanges(stride);
    copy.ranges.putAll(ranges);
    copy.size = size;
    return copy;
  }

  public long size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns the number of ranges, which determines the memory and file size. */
  int rangeCount() {
    return ranges.size();
  }

  public boolean contains(long index) {
    if (!stride.has(index)) {
      return false;
    }
    long ordinal = stride.ordinal(index);
    Map.Entry<Long, Long> below = ranges.floorEntry(ordinal);
    return below != null && ordinal < below.getValue();
  }

  /**
   * Adds an index; returns whether it was absent.
   *
   * @throws IllegalArgumentException if it is not of this set's stride
   */
  public boolean add(long index) {
    long ordinal = stride.ordinal(index);
    if (contains(index)) {
      return false;
    }
    addRange(ordinal, ordinal + 1);
    return true;
  }

  /** Adds ordinals from {@code first} to below {@code end}. */
  void addRange(long first, long end) {
    if (first < 0 || end < first) {
      throw new IllegalArgumentException("There is no range from " + first + " to " + end + ".");
    }
    if (first == end) {
      return;
    }
    long from = first;
    long to = end;
    Map.Entry<Long, Long> touching = ranges.floorEntry(to);
    while (touching != null && touching.getValue() >= from) {
      from = Math.min(from, touching.getKey());
      to = Math.max(to, touching.getValue());
      size -= touching.getValue() - touching.getKey();
      ranges.remove(touching.getKey());
      touching = ranges.floorEntry(to);
    }
    ranges.put(from, to);
    size += to - from;
  }

  /** Adds all indices of another set, which must have the same stride. */
  public void addAll(IndexRanges other) {
    if (!other.stride.equals(stride)) {
      throw new IllegalArgumentException(other.stride + " is not " + stride + ".");
    }
    other.ranges.forEach(this::addRange);
  }

  /** Removes an index; returns whether it was present. */
  public boolean remove(long index) {
    if (!contains(index)) {
      return false;
    }
    long ordinal = stride.ordinal(index);
    Map.Entry<Long, Long> range = ranges.floorEntry(ordinal);
    ranges.remove(range.getKey());
    if (range.getKey() < ordinal) {
      ranges.put(range.getKey(), ordinal);
    }
    if (ordinal + 1 < range.getValue()) {
      ranges.put(ordinal + 1, range.getValue());
    }
    size--;
    return true;
  }

  public void clear() {
    ranges.clear();
    size = 0;
  }

  /**
   * Calls the consumer with each range's first ordinal and the ordinal after its last, in order.
   */
  void forEachRange(RangeConsumer consumer) {
    ranges.forEach(consumer::accept);
  }

  interface RangeConsumer {
    void accept(long first, long end);
  }

  /** Calls the consumer with each index, in order; the set must not change meanwhile. */
  public void forEach(LongConsumer consumer) {
    iterator().forEachRemaining(consumer);
  }

  /** Returns the indices in order; the set must not change meanwhile. */
  public PrimitiveIterator.OfLong iterator() {
    return new PrimitiveIterator.OfLong() {
      private Map.Entry<Long, Long> range = ranges.firstEntry();
      private long next = range == null ? 0 : range.getKey();

      @Override
      public boolean hasNext() {
        return range != null;
      }

      @Override
      public long nextLong() {
        if (range == null) {
          throw new NoSuchElementException();
        }
        long index = stride.index(next++);
        if (next >= range.getValue()) {
          range = ranges.higherEntry(range.getKey());
          next = range == null ? 0 : range.getKey();
        }
        return index;
      }
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexRanges that
        && stride.equals(that.stride)
        && ranges.equals(that.ranges);
  }

  @Override
  public int hashCode() {
    return Objects.hash(ranges);
  }

  /** Returns text like {@code 0..99, 101}, or {@code 2..98 by 8} for a stride of eight. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    forEachRange(
        (first, end) -> {
          text.append(text.length() == 0 ? "" : ", ").append(stride.index(first));
          if (end - first > 1) {
            text.append("..").append(stride.index(end - 1));
            text.append(stride.step() == 1 ? "" : " by " + stride.step());
          }
        });
    return text.toString();
  }
}
