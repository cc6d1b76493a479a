package org.fedometer.store.rollup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.wire.record.RequestEncoder;

/**
 * Adds samples up, ten seconds by ten seconds and stage by stage. Memory grows with the number of
 * both, not with that of the samples, and has its bounds: of samples that cannot be right,
 * thousands of stages or hours apart, some are left out. Not thread-safe.
 */
public final class Rollups {
  /** What the number of a stage is called by whose source sent no name for it. */
  public static final String STAGE_WITHOUT_NAME = "stage-";

  /** The same of a metric. */
  public static final String METRIC_WITHOUT_NAME = "metric-";

  /**
   * Stands for the ingests that the driver timed; with a dot and the operation's name behind it,
   * for its requests of another operation.
   */
  public static final String DRIVER_REQUEST = "driver.request";

  /** How long a rollup is. */
  public static final long SECONDS = 10;

  /** Eleven hours; whoever may get more takes them out before, when {@link #isHalfFull} says so. */
  private static final int MAX_INTERVALS = 4096;

  /** What a hostile source may make of them: a few megabytes. */
  private static final int MAX_STAGES = 10_000;

  /** Three hours of 60 stages; some 10 MB if each holds little. */
  private static final int MAX_CELLS = 1 << 16;

  /** Of four bytes each, most of them empty. */
  private static final int MAX_SLOTS = 1 << 20;

  private static final int SPARE_SLOTS = 8;

  /** Intervals of which each stage may take some kilobytes. */
  private static final int MAX_UNPACKED = 4;

  private static final long NANOS = SECONDS * 1_000_000_000L;

  private final Map<String, Integer> stageNumbers = new HashMap<>();
  private final List<String> stages = new ArrayList<>();
  private final TreeMap<Long, Interval> intervals = new TreeMap<>();
  private final HistogramCodec codec = new HistogramCodec();

  /** Those that are not packed, the last one added to first; from {@link #unpacked} on, none. */
  private final Interval[] recent = new Interval[MAX_UNPACKED];

  private int unpacked;
  private int slots;
  private int cells;

  /** The stages of ten seconds, by number; null where there was nothing of a stage. */
  private static final class Interval {
    private final long number;
    private StageCell[] cells;

    Interval(long number, int size) {
      this.number = number;
      this.cells = new StageCell[size];
    }
  }

  /**
   * The number under which this object knows the stage; below 0 for one beyond the most that it can
   * know, whose samples are left out.
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

  /** What a hostile or broken source sends must not break the others' figures. */
  public static long recordable(long nanos) {
    return Math.max(0, Math.min(nanos, Long.MAX_VALUE / 4));
  }

  /**
   * @param operation such as {@link RequestEncoder#INGEST}
   * @param status HTTP status, 0 without an answer
   */
  public void addRequest(String operation, long endEpochNanos, long durationNanos, int status) {
    boolean failed = !RequestEncoder.succeeded(status);
    String stage =
        operation.equals(RequestEncoder.INGEST) ? DRIVER_REQUEST : DRIVER_REQUEST + "." + operation;
    add(stage(stage), endEpochNanos, durationNanos, durationNanos, failed);
  }

  /**
   * @param stage as {@link #stage} numbered it
   * @param endEpochNanos when it ended, by the collector's clock
   * @param durationNanos start to end
   * @param selfNanos without the stages inside it
   * @param failed ended by an exception
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

  /** Null where a source's times are so far apart that they cannot be right. */
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

  /** Samples come about in the order of time: what lies back needs little memory from now on. */
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

  /** Whether it is time to take out what was added: beyond twice as much, samples are left out. */
  public boolean isHalfFull() {
    return cells >= MAX_CELLS / 2
        || intervals.size() >= MAX_INTERVALS / 2
        || slots >= MAX_SLOTS / 2;
  }

  /** How many intervals of stages are in memory; each takes some 150 bytes and more. */
  public int cells() {
    return cells;
  }

  /** All that was added, by time. */
  public List<Rollup> toList() {
    List<Rollup> result = new ArrayList<>();
    for (Interval interval : intervals.values()) {
      addRollups(interval, result);
    }
    return result;
  }

  /**
   * What was added of the ten seconds that begin then, and is not forgotten, by stage; {@code
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

  /** Lets go of all that began before the given time, for whoever adds for days. */
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
