package org.fedometer.store.rollup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.wire.record.RequestEncoder;

/**
 * Sums up samples per ten seconds and stage. Memory grows with the number of both, not of samples,
 * and is bounded: of implausible samples, with thousands of stages or hours apart, some are
 * dropped. Not thread-safe.
 */
public final class Rollups {
  /** Prefix of a stage's number without a name from its source. */
  public static final String STAGE_WITHOUT_NAME = "stage-";

  /** Prefix of a metric's number without a name from its source. */
  public static final String METRIC_WITHOUT_NAME = "metric-";

  /** The driver's ingests; for other operations, followed by a dot and the operation's name. */
  public static final String DRIVER_REQUEST = "driver.request";

  /** Length of a rollup. */
  public static final long SECONDS = 10;

  /** Eleven hours; callers with more data drain earlier, by {@link #isHalfFull}. */
  private static final int MAX_INTERVALS = 4096;

  /** Limits a hostile source to a few megabytes. */
  private static final int MAX_STAGES = 10_000;

  /** Three hours of 60 stages; about 10 MB if each has few samples. */
  private static final int MAX_CELLS = 1 << 16;

  /** Four bytes each, most of them empty. */
  private static final int MAX_SLOTS = 1 << 20;

  private static final int SPARE_SLOTS = 8;

  /** Intervals whose stages may need some kilobytes each. */
  private static final int MAX_UNPACKED = 4;

  private static final long NANOS = SECONDS * 1_000_000_000L;

  private final Map<String, Integer> stageNumbers = new HashMap<>();
  private final List<String> stages = new ArrayList<>();
  private final TreeMap<Long, Interval> intervals = new TreeMap<>();
  private final HistogramCodec codec = new HistogramCodec();

  /** Unpacked intervals, the most recently used first; none from {@link #unpacked} on. */
  private final Interval[] recent = new Interval[MAX_UNPACKED];

  private int unpacked;
  private int slots;
  private int cells;

  /** The stages of ten seconds, by number; null if a stage has no samples. */
  private static final class Interval {
    private final long number;
    private StageCell[] cells;

    Interval(long number, int size) {
      this.number = number;
      this.cells = new StageCell[size];
    }
  }

  /**
   * Returns this object's number of the stage; below 0 beyond the limit, whose samples are dropped.
   */
  public int stage(String name) {
    Integer known = stageNumbers.get(name);
    if (known != null) {
      return known;
    }
    if (stages.size() == MAX_STAGES) {
      return -1;
    }
    stages.add(name);
    stageNumbers.put(name, stages.size() - 1);
    return stages.size() - 1;
  }

  public static String nameOf(Map<Integer, String> names, int stageId) {
    String name = names.get(stageId);
    return name == null ? STAGE_WITHOUT_NAME + stageId : name;
  }

  /** Clamps a value, so that a hostile or broken source does not break other figures. */
  public static long recordable(long nanos) {
    return Math.max(0, Math.min(nanos, Long.MAX_VALUE / 4));
  }

  /**
   * @param operation such as {@link RequestEncoder#INGEST}
   * @param status HTTP status, 0 without a response
   */
  public void addRequest(String operation, long endEpochNanos, long durationNanos, int status) {
    boolean failed = !RequestEncoder.succeeded(status);
    String stage =
        operation.equals(RequestEncoder.INGEST) ? DRIVER_REQUEST : DRIVER_REQUEST + "." + operation;
    add(stage(stage), endEpochNanos, durationNanos, durationNanos, failed);
  }

  /**
   * @param stage number from {@link #stage}
   * @param endEpochNanos end, by the collector's clock
   * @param durationNanos start to end
   * @param selfNanos without the stages inside it
   * @param failed true if it ended by an exception
   */
  public void add(
      int stage, long endEpochNanos, long durationNanos, long selfNanos, boolean failed) {
    long number = Math.floorDiv(endEpochNanos, NANOS);
    Interval interval = unpacked > 0 && recent[0].number == number ? recent[0] : intervalOf(number);
    if (interval == null || stage < 0) {
      return;
    }
    if (stage >= interval.cells.length) {
      int larger = stages.size() + SPARE_SLOTS;
      if (slots + larger - interval.cells.length > MAX_SLOTS) {
        return;
      }
      slots += larger - interval.cells.length;
      interval.cells = Arrays.copyOf(interval.cells, larger);
    }
    StageCell cell = interval.cells[stage];
    if (cell == null) {
      if (cells == MAX_CELLS) {
        return;
      }
      cells++;
      cell = new StageCell();
      interval.cells[stage] = cell;
    }
    cell.add(durationNanos, selfNanos, failed);
  }

  /** Returns null if a source's times are implausibly far apart. */
  private Interval intervalOf(long number) {
    for (int i = 1; i < unpacked; i++) {
      if (recent[i].number == number) {
        Interval found = recent[i];
        System.arraycopy(recent, 0, recent, 1, i);
        recent[0] = found;
        return found;
      }
    }
    Interval interval = intervals.get(number);
    if (interval == null) {
      int size = stages.size() + SPARE_SLOTS;
      if (intervals.size() == MAX_INTERVALS || slots + size > MAX_SLOTS) {
        return null;
      }
      interval = new Interval(number, size);
      slots += size;
      intervals.put(number, interval);
    }
    unpack(interval);
    return interval;
  }

  /** Samples arrive roughly in time order, so older intervals are packed to save memory. */
  private void unpack(Interval interval) {
    if (unpacked < MAX_UNPACKED) {
      unpacked++;
    } else {
      for (StageCell cell : recent[MAX_UNPACKED - 1].cells) {
        if (cell != null) {
          cell.pack(codec);
        }
      }
    }
    System.arraycopy(recent, 0, recent, 1, unpacked - 1);
    recent[0] = interval;
  }

  /** Returns whether to drain: beyond twice as much, samples are dropped. */
  public boolean isHalfFull() {
    return cells >= MAX_CELLS / 2
        || intervals.size() >= MAX_INTERVALS / 2
        || slots >= MAX_SLOTS / 2;
  }

  /** Returns the number of stage intervals in memory, of at least about 150 bytes each. */
  public int cells() {
    return cells;
  }

  /** Returns all rollups, by time. */
  public List<Rollup> toList() {
    List<Rollup> result = new ArrayList<>();
    for (Interval interval : intervals.values()) {
      addRollups(interval, result);
    }
    return result;
  }

  /**
   * Returns the rollups of the ten seconds from then on that are not forgotten, by stage; {@code
   * beginEpochSeconds} is a multiple of ten.
   */
  public List<Rollup> beginningAt(long beginEpochSeconds) {
    List<Rollup> result = new ArrayList<>();
    Interval interval = intervals.get(Math.floorDiv(beginEpochSeconds, SECONDS));
    if (interval != null) {
      addRollups(interval, result);
    }
    return result;
  }

  private void addRollups(Interval interval, List<Rollup> result) {
    for (int stage = 0; stage < interval.cells.length; stage++) {
      StageCell cell = interval.cells[stage];
      if (cell != null) {
        result.add(cell.rollup(interval.number * SECONDS, stages.get(stage), codec));
      }
    }
  }

  /** Discards all rollups that start before the given time, for long recordings. */
  public void forgetBefore(long beginEpochSeconds) {
    Map<Long, Interval> old = intervals.headMap(Math.floorDiv(beginEpochSeconds, SECONDS), false);
    int keptCount = 0;
    for (int i = 0; i < unpacked; i++) {
      if (!old.containsKey(recent[i].number)) {
        recent[keptCount++] = recent[i];
      }
    }
    Arrays.fill(recent, keptCount, unpacked, null);
    unpacked = keptCount;
    for (Interval interval : old.values()) {
      slots -= interval.cells.length;
      for (StageCell cell : interval.cells) {
        cells -= cell == null ? 0 : 1;
      }
    }
    old.clear();
  }
}
