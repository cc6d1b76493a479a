package org.fedometer.analysis.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.analysis.trace.SourceAttributes;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.query.SqlText;

/**
 * Converts times of a run's sources to one clock, that of {@code run.json}. Sources of one boot of
 * a host share a clock; others have offsets measured by the collector. Immutable.
 */
final class TimelineClock {

  /** Offsets to add to times of sources; only non-zero ones. */
  private final Map<String, Long> shifts;

  /** Offset from this clock to nanoseconds since 1970; null if unknown. */
  private final Long epochOffsetNanos;

  private final long originNanos;

  private TimelineClock(Map<String, Long> shifts, Long epochOffsetNanos, long originNanos) {
    this.shifts = Map.copyOf(shifts);
    this.epochOffsetNanos = epochOffsetNanos;
    this.originNanos = originNanos;
  }

  private record Source(String id, String kind, String bootId, Long epochOffsetNanos) {}

  /**
   * @param bootId of {@code run.json}, or null
   * @param countsFrom1970 whether the run's times are nanoseconds since 1970
   */
  static TimelineClock of(Query query, String bootId, boolean countsFrom1970)
      throws QueryException {
    List<Source> sources = new ArrayList<>();
    try (Rows rows =
        query.execute(
            "SELECT source, coalesce(kind, ''), coalesce(attributes, ''), epoch_offset_nanos"
                + " FROM sources WHERE source IS NOT NULL ORDER BY first_seen_epoch_millis, source")) {
      while (rows.next()) {
        sources.add(
            new Source(
                rows.text(0),
                rows.text(1),
                SourceAttributes.bootId(rows.text(2)),
                rows.value(3) == null ? null : (Long) rows.integer(3)));
      }
    }
    if (countsFrom1970) {
      return new TimelineClock(Map.of(), 0L, 0);
    }
    Source reference =
        sources.stream()
            .filter(source -> known(source.epochOffsetNanos()))
            .min(
                Comparator.comparing((Source source) -> !source.bootId().equals(bootId))
                    .thenComparing(source -> !source.kind().equals("driver"))
                    .thenComparing(source -> !source.kind().equals("agent")))
            .orElse(null);
    if (reference == null) {
      return new TimelineClock(Map.of(), null, 0);
    }
    Map<String, Long> shifts = new LinkedHashMap<>();
    for (Source source : sources) {
      boolean oneClock =
          source.epochOffsetNanos() == null
              || (source.epochOffsetNanos() == 0 && source.bootId().isEmpty())
              || (!source.bootId().isEmpty() && source.bootId().equals(reference.bootId()));
      long shift = oneClock ? 0 : source.epochOffsetNanos() - (long) reference.epochOffsetNanos();
      if (shift != 0) {
        shifts.put(source.id(), shift);
      }
    }
    return new TimelineClock(shifts, reference.epochOffsetNanos(), 0);
  }

  /** Returns whether the offset is known; it may be 0 in tests and imports, which means unknown. */
  private static boolean known(Long epochOffsetNanos) {
    return epochOffsetNanos != null && epochOffsetNanos != 0;
  }

  /** Returns a clock with this origin. */
  TimelineClock from(long nanos) {
    return new TimelineClock(shifts, epochOffsetNanos, nanos);
  }

  long originNanos() {
    return originNanos;
  }

  /** Returns the time of day of the origin, or null. */
  Long originEpochNanos() {
    return epochOffsetNanos == null ? null : (Long) (originNanos + epochOffsetNanos);
  }

  /** Converts a collector's time of day to this clock; null if unknown. */
  Long ofEpochNanos(long epochNanos) {
    return epochOffsetNanos == null ? null : (Long) (epochNanos - epochOffsetNanos);
  }

  double seconds(long nanos) {
    return (nanos - originNanos) / 1e9;
  }

  long shiftNanos(String source) {
    return shifts.getOrDefault(source, 0L);
  }

  /**
   * Returns an SQL expression for nanoseconds since the origin, in a row with a column {@code
   * source}. It is null for implausibly distant times, which would overflow.
   *
   * @param nanos expression of times by the source's clock
   */
  String sinceOrigin(String nanos) {
    if (shifts.isEmpty()) {
      return "TRY(" + nanos + " - (" + originNanos + "))";
    }
    StringBuilder sql = new StringBuilder("TRY(" + nanos + " + CASE source");
    shifts.forEach(
        (source, shift) ->
            sql.append(" WHEN ")
                .append(SqlText.literal(source))
                .append(" THEN ")
                .append(shift - originNanos));
    return sql.append(" ELSE ").append(-originNanos).append(" END)").toString();
  }
}
