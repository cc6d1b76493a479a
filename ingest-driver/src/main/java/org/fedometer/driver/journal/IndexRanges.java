package org.fedometer.driver.journal;

import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * A set of indices, kept as ranges: what an ingest has done is one range and a few gaps, however
 * many millions it is. Of an ingest that has every eighth index, ranges are of those. For one
 * thread at a time.
 */
public final class IndexRanges {

  /** First ordinal of each range to the ordinal after its last. */
  private final NavigableMap<Long, Long> ranges = new TreeMap<>();

  private final Stride stride;
  private long size;

  public IndexRanges() {
    this(Stride.ALL);
  }

  public IndexRanges(Stride stride) {
    this.stride = stride;
  }

  /** The same indices, which change no more with this one. */
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

  /** How many ranges there are, which is what this costs. */
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
   * Adds one; returns whether it was not there.
   *
   * @throws IllegalArgumentException if it is none of the indices that this is for
   */
  public boolean add(long index) {
    long ordinal = stride.ordinal(index);
    if (contains(index)) {
      return false;
    }
    addRange(ordinal, ordinal + 1);
    return true;
  }

  /** Adds all from the {@code first}th on, below the {@code end}th. */
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

  /** Adds all of the other's, which are of the same stride. */
  public void addAll(IndexRanges other) {
    if (!other.stride.equals(stride)) {
      throw new IllegalArgumentException(other.stride + " is not " + stride + ".");
    }
    other.ranges.forEach(this::addRange);
  }

  /** Takes one out; returns whether it was there. */
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

  /** Calls with the first ordinal of each range and the ordinal after its last, in order. */
  void forEachRange(RangeConsumer consumer) {
    ranges.forEach(consumer::accept);
  }

  interface RangeConsumer {
    void accept(long first, long end);
  }

  /** Calls with each index, in order; the set must not change meanwhile. */
  public void forEach(LongConsumer consumer) {
    iterator().forEachRemaining(consumer);
  }

  /** The indices in order; the set must not change meanwhile. */
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

  /** As in {@code 0..99, 101}; of every eighth, {@code 2..98 by 8}. */
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
