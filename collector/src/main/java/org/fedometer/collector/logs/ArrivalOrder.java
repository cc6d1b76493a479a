package org.fedometer.collector.logs;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Puts the events of one connection that tell the same time apart by a nanosecond each, so that
 * they keep the order of their arrival where they are sorted by time. Layouts know milliseconds or
 * seconds; the threads of a program may tell two of them by turns. One thread.
 */
public final class ArrivalOrder {
  /** An event that is told later than so many newer times is older by far more than a turn. */
  private static final int MAX_TIMES = 64;

  /** By the time that was told: what its newest event got. */
  private final Map<Long, Long> given =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > MAX_TIMES;
        }
      };

  /** Null before the first event. */
  private Long newestReported;

  private long newestGiven;

  /** The time of the next event, no earlier than told; both in nanoseconds since 1970. */
  public long of(long reported) {
    Long before = given.remove(reported);
    long time = before == null ? reported : Math.max(reported, before + 1);
    if (newestReported == null || reported >= newestReported) {
      // Those of the time before may have come as far as this one.
      time = newestReported == null ? time : Math.max(time, newestGiven + 1);
      newestReported = reported;
      newestGiven = time;
    }
    given.put(reported, time);
    return time;
  }
}
