package org.fedometer.store.rollup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds samples up, ten seconds by ten seconds and stage by stage. Memory grows with the number of
 * both, not with that of the samples, and has its bounds: of samples that cannot be right,
 * thousands of stages or hours apart, some are left out. Not thread-safe.
 */
public final class Rollups {
  /** Stands for the requests that the driver timed. */
  public static final String DRIVER_REQUEST = "driver.request";

  /** How long a rollup is. */
  public static final long SECONDS = 10;

  /** Eleven hours: more than a segment covers. */
  private static final int MOST_INTERVALS = 4096;

  /** What a hostile source may make of them: a few megabytes. */
  private static final int MOST_STAGES = 10_000;

  private static final int MOST_SLOTS = 1 << 20;
  private static final int SPARE_SLOTS = 8;

  /** Intervals of which each stage may take some kilobytes. */
  private static final int MOST_UNPACKED = 4;

  private static final long NANOS = SECONDS * 1_000_000_000L;

  private final Map<String, Integer> stageNumbers = new HashMap<>();
  private final List<String> stages = new ArrayList<>();
  private final TreeMap<Long, StageCell[]> cells = new TreeMap<>();
  private final ArrayDeque<Long> unpacked = new ArrayDeque<>();
  private final HistogramCodec codec = new HistogramCodec();
  private long newestInterval = Long.MIN_VALUE;
  private StageCell[] newestCells;
  private int slots;

  /**
   * The number under which this object knows the stage; below 0 for one beyond the most that it can
   * know, whose samples are left out.
   */
  public int stage(String name) {
    Integer known = stageNumbers.get(name);
    if (known != null) {
      return known;
    }
    if (stages.size() == MOST_STAGES) {
      return -1;
    }
    stages.add(name);
    stageNumbers.put(name, stages.size() - 1);
    return stages.size() - 1;
  }

  /** What a stage is called whose source sent no name for its number. */
  public static String nameOf(Map<Integer, String> names, int stageId) {
    String name = names.get(stageId);
    return name == null ? "stage-" + stageId : name;
  }

  /**
   * Adds a request of the driver.
   *
   * @param status HTTP status, 0 without an answer
   */
  public void addRequest(long endEpochNanos, long durationNanos, int status) {
    boolean failed = status < 200 || status > 299;
    add(stage(DRIVER_REQUEST), endEpochNanos, durationNanos, durationNanos, failed);
  }

  /**
   * @param stage as {@link #stage} numbered it
   * @param endEpochNanos when it ended, by the collector's clock
   * @param totalNanos start to end
   * @param ownNanos without the stages inside it
   * @param failed ended by an exception
   */
  public void add(int stage, long endEpochNanos, long totalNanos, long ownNanos, boolean failed) {
    long interval = Math.floorDiv(endEpochNanos, NANOS);
    StageCell[] ofInterval = interval == newestInterval ? newestCells : cellsOf(interval);
    if (ofInterval == null || stage < 0) {
      return;
    }
    if (stage >= ofInterval.length) {
      int larger = stages.size() + SPARE_SLOTS;
      if (slots + larger - ofInterval.length > MOST_SLOTS) {
        return;
      }
      slots += larger - ofInterval.length;
      ofInterval = Arrays.copyOf(ofInterval, larger);
      cells.put(interval, ofInterval);
      newestCells = ofInterval;
    }
    StageCell cell = ofInterval[stage];
    if (cell == null) {
      cell = new StageCell();
      ofInterval[stage] = cell;
    }
    cell.add(totalNanos, ownNanos, failed);
  }

  /** Null where a source's times are so far apart that they cannot be right. */
  private StageCell[] cellsOf(long interval) {
    StageCell[] found = cells.get(interval);
    int size = stages.size() + SPARE_SLOTS;
    if (found == null && cells.size() < MOST_INTERVALS && slots + size <= MOST_SLOTS) {
      found = new StageCell[size];
      slots += size;
      cells.put(interval, found);
    }
    newestInterval = interval;
    newestCells = found;
    if (found != null) {
      packOthersThan(interval);
    }
    return found;
  }

  /** Samples come about in the order of time: what lies back needs little memory from now on. */
  private void packOthersThan(long interval) {
    unpacked.remove(interval);
    unpacked.addLast(interval);
    if (unpacked.size() > MOST_UNPACKED) {
      for (StageCell cell : cells.get(unpacked.removeFirst())) {
        if (cell != null) {
          cell.pack(codec);
        }
      }
    }
  }

  public boolean isEmpty() {
    return cells.isEmpty();
  }

  /** All that was added, by time. */
  public List<Rollup> toList() {
    List<Rollup> result = new ArrayList<>();
    for (Map.Entry<Long, StageCell[]> interval : cells.entrySet()) {
      StageCell[] ofInterval = interval.getValue();
      for (int stage = 0; stage < ofInterval.length; stage++) {
        if (ofInterval[stage] != null) {
          result.add(
              ofInterval[stage].rollup(interval.getKey() * SECONDS, stages.get(stage), codec));
        }
      }
    }
    return result;
  }
}
