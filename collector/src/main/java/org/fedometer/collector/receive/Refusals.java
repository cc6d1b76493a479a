package org.fedometer.collector.receive;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.fedometer.collector.metrics.Metrics;

/** Counts connections closed by the collector, by reason. Any thread. */
public final class Refusals {
  private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

  public enum Reason {
    /** Wrong token or protocol version. */
    NOT_WELCOME,
    /** No introduction in time. */
    SILENT,
    /** Not a frame, or not allowed there. */
    MALFORMED,
    /** Plain where TLS is required. */
    PLAIN,
    /** Failed handshake. */
    TLS,
    /** A frame stalled while others waited. */
    STALLED,
    /** Too many connections, or too many strangers of one address. */
    FULL,
    /** The peer did not read. */
    NOT_READING,
    /** Refused log sender or log data. */
    LOGS,
    /** Refused by the segment log: a run's name in use, a newer connection, shutdown. */
    SEGMENT_LOG
  }

  public Refusals() {
    for (Reason reason : Reason.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  void count(Reason reason) {
    counts.get(reason).increment();
  }

  public void addTo(Metrics metrics) {
    counts()
        .forEach(
            (reason, count) ->
                metrics.count(
                    "fedometer_connections_refused",
                    "Connections closed by the collector, by reason.",
                    count,
                    "reason",
                    reason));
  }

  /** Returns the count of each reason in lower case, including zeros. */
  public Map<String, Long> counts() {
    Map<String, Long> result = new TreeMap<>();
    counts.forEach(
        (reason, count) ->
            result.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), count.sum()));
    return result;
  }
}
