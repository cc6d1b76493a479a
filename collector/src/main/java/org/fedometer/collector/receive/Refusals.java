package org.fedometer.collector.receive;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.fedometer.collector.metrics.Metrics;

/** Counts the connections that the collector has ended, by the reason. Any thread. */
public final class Refusals {
  private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

  public enum Reason {
    /** Token or version of the protocol. */
    NOT_WELCOME,
    /** No introduction in time. */
    SILENT,
    /** Something that is no frame, or none that may come there. */
    MALFORMED,
    /** Plain where TLS is asked for. */
    PLAIN,
    /** No handshake came about. */
    TLS,
    /** A frame came to a standstill while others waited. */
    STANDSTILL,
    /** So many connections are open, or so many strangers of one address. */
    FULL,
    /** It took nothing of what it was sent. */
    STILL,
    /** What a log sender sent, or that it sends. */
    LOGS,
    /** What the journal says: a run's name that is taken, a newer connection, the end. */
    JOURNAL
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
                    "Connections that were hung up on.",
                    count,
                    "reason",
                    reason));
  }

  /** Each reason in lower case with its count, also those that never were. */
  public Map<String, Long> counts() {
    Map<String, Long> result = new TreeMap<>();
    counts.forEach(
        (reason, count) ->
            result.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), count.sum()));
    return result;
  }
}
