package org.fedometer.collector.logs;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Separates events of one connection with equal times by a nanosecond each, to keep their order of
 * arrival when sorted by time. Layouts have a resolution of milliseconds or seconds, and a
 * program's threads may interleave two times. One thread.
 */
public final class ArrivalOrder {
  /** Limit of remembered times; older events are not interleaved. */
  private static final int MAX_TIMES = 64;

  /** Time given to the newest event, by reported time. */
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

  /**
   * Returns the time of the next event, at least {@code reported}; both in nanoseconds since 1970.
   */
  public long of(long reported) {
    Long before = given.remove(reported);
    long time = before == null ? reported : Math.max(reported, before + 1);
    if (newestReported == null || reported >= newestReported) {
      // Events of the previous time may have been moved up to this one.
      time = newestReported == null ? time : Math.max(time, newestGiven + 1);
      newestReported = reported;
      newestGiven = time;
    }
    given.put(reported, time);
    return time;
  }
}
