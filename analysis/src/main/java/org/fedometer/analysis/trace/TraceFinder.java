package org.fedometer.analysis.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.trace.ObjectTrace.Attempt;
import org.fedometer.analysis.trace.ObjectTrace.Choice;
import org.fedometer.analysis.trace.ObjectTrace.LogLine;
import org.fedometer.analysis.trace.ObjectTrace.Request;
import org.fedometer.analysis.trace.ObjectTrace.Span;
import org.fedometer.analysis.trace.ObjectTrace.Trace;
import org.fedometer.analysis.trace.Waterfall.Sample;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.query.SqlText;

/**
 * Builds an {@link ObjectTrace} from a run's tables: finds an object's requests and traces, and
 * matches them. One use, one thread.
 */
final class TraceFinder {

  /** Limit of the search for a flush: triples are mostly flushed within seconds. */
  private static final long SOON_NANOS = 300_000_000_000L;

  private final String run;
  private final String pid;
  private final Query query;
  private final TraceRecords records;

  TraceFinder(String run, String pid, Query query) {
    this.run = run;
    this.pid = pid;
    this.query = query;
    this.records = new TraceRecords(query);
  }

  /** A trace with its source's clock. */
  private record Seen(Trace trace, String pid, String bootId) {
    /** Returns whether the trace has this operation; unknown ones count as ingests. */
    boolean is(String operation) {
      return trace.operation().isEmpty()
          ? operation.equals(RunReport.INGEST)
          : trace.operation().equals(operation);
    }
  }

  /** A match; at most one is null. */
  private record Pair(SentRequest sent, Seen seen) {}

  ObjectTrace find(Choice choice) throws QueryException, NoSuchObjectException {
    List<Pair> pairs = pairs(requests());
    if (pairs.isEmpty()) {
      throw new NoSuchObjectException(UnknownPid.message(run, pid, query));
    }
    List<Pair> chosen = chosen(pairs, choice);
    List<Attempt> attempts = new ArrayList<>();
    for (Pair pair : chosen) {
      attempts.add(attempt(pair, false));
    }
    SortedMap<String, Integer> notShown = new TreeMap<>();
    pairs.stream()
        .filter(pair -> !chosen.contains(pair))
        .forEach(pair -> notShown.merge(operation(pair), 1, Integer::sum));
    return new ObjectTrace(run, pid, attempts, notShown);
  }

  private static String operation(Pair pair) {
    if (pair.sent() != null) {
      return pair.sent().request().operation();
    }
    String operation = pair.seen().trace().operation();
    return operation.isEmpty() ? RunReport.INGEST : operation;
  }

  private List<Pair> chosen(List<Pair> pairs, Choice choice) throws NoSuchObjectException {
    if (choice.all()) {
      return pairs;
    }
    if (choice.attempt() == 0) {
      List<Pair> ingests = pairs.stream().filter(TraceFinder::isIngest).toList();
      List<Pair> preferred = ingests.isEmpty() ? pairs : ingests;
      return List.of(preferred.get(preferred.size() - 1));
    }
    List<Pair> counted = counted(pairs);
    List<Pair> chosen = new ArrayList<>();
    Set<Integer> numbers = new LinkedHashSet<>();
    for (int i = 0; i < counted.size(); i++) {
      SentRequest sent = counted.get(i).sent();
      int number = sent == null ? i + 1 : sent.request().number();
      numbers.add(number);
      if (number == choice.attempt()) {
        chosen.add(counted.get(i));
      }
    }
    if (chosen.isEmpty()) {
      throw new NoSuchObjectException(
          "The run "
              + run
              + " has no attempt "
              + choice.attempt()
              + " of "
              + pid
              + "; there are: "
              + numbers.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }
    return chosen;
  }

  /**
   * Returns whether it is an ingest; reads and changes of the object would hide how it was
   * ingested.
   */
  private static boolean isIngest(Pair pair) {
    return pair.sent() == null
        ? pair.seen().is(RunReport.INGEST)
        : pair.sent().request().isIngest();
  }

  /**
   * Returns the matches that attempt numbers refer to: without ingests, also those of other
   * requests.
   */
  private static List<Pair> counted(List<Pair> pairs) {
    boolean ingestSent = pairs.stream().anyMatch(pair -> pair.sent() != null && isIngest(pair));
    return pairs.stream()
        .filter(pair -> !ingestSent || pair.sent() == null || isIngest(pair))
        .toList();
  }

  /** Returns requests for the object itself, and those that refer to it by number. */
  private List<SentRequest> requests() throws QueryException {
    List<Object> parameters = new ArrayList<>();
    parameters.add(pid);
    StringBuilder byNumber = new StringBuilder();
    try (Rows rows =
        query.execute(
            "SELECT DISTINCT source, object_index FROM requests WHERE pid = ? AND operation = ?",
            pid,
            RunReport.INGEST)) {
      while (rows.next()) {
        byNumber.append(" OR (source = ? AND object_index = ?)");
        parameters.add(rows.text(0));
        parameters.add(rows.integer(1));
      }
    }
    List<SentRequest> sent = new ArrayList<>();
    try (Rows rows =
        query.execute(
            """
            SELECT r.source, attempt, worker, start_nanos, nullif(epoch_offset_nanos, 0),
              duration_nanos, status, content_bytes, coalesce(traceparent, ''),
              coalesce(message, ''), coalesce(attributes, ''), coalesce(operation, ''),
              start_nanos - intended_start_nanos
            FROM (SELECT * FROM requests WHERE pid = ?%s) r LEFT JOIN sources s USING (source)
            ORDER BY operation <> 'ingest', CASE operation WHEN 'ingest' THEN attempt END,
              start_nanos"""
                .formatted(byNumber),
            parameters.toArray())) {
      while (rows.next()) {
        long start = rows.integer(3);
        Request request =
            new Request(
                rows.text(0),
                rows.text(11),
                Math.toIntExact(rows.integer(1)),
                Math.toIntExact(rows.integer(2)),
                rows.value(4) == null ? null : Long.valueOf(rows.integer(4) + start),
                rows.integer(12),
                rows.integer(5),
                Math.toIntExact(rows.integer(6)),
                rows.integer(7),
                rows.text(8),
                rows.text(9));
        sent.add(new SentRequest(request, start, SourceAttributes.bootId(rows.text(10))));
      }
    }
    return sent;
  }

  /**
   * Matches requests and traces by traceparent; for requests without one, by PID, in order.
   * Unmatched ones stand alone.
   */
  private List<Pair> pairs(List<SentRequest> sent) throws QueryException {
    List<Seen> unclaimed = traces(sent, "traces");
    List<Pair> pairs = new ArrayList<>();
    for (SentRequest request : sent) {
      Seen seen = claimed(request.request(), unclaimed);
      unclaimed.remove(seen);
      pairs.add(new Pair(request, seen));
    }
    unclaimed.forEach(seen -> pairs.add(new Pair(null, seen)));
    return pairs;
  }

  private Seen claimed(Request request, List<Seen> unclaimed) {
    String traceparent = request.traceparent();
    return unclaimed.stream()
        .filter(candidate -> candidate.trace().traceparent().equals(traceparent))
        .filter(
            candidate ->
                !traceparent.isEmpty()
                    || (candidate.pid().equals(pid) && candidate.is(request.operation())))
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns the attempt of a known request, without log lines. A run has many millions of traces:
   * with one clock, only those that began within the request are read.
   *
   * @param bootId of the driver's host, or empty
   * @param oneClock whether driver and agents have one clock
   */
  Attempt brief(Request request, long startNanos, String bootId, boolean oneClock)
      throws QueryException {
    SentRequest sent = new SentRequest(request, startNanos, bootId);
    String from = oneClock ? tracesWithin(startNanos, request.durationNanos()) : "traces";
    return attempt(new Pair(sent, claimed(request, traces(List.of(sent), from))), true);
  }

  /** Returns the numbers of traces within the time; a source numbers traces in order of start. */
  private String tracesWithin(long startNanos, long durationNanos) throws QueryException {
    List<String> ranges = new ArrayList<>();
    try (Rows rows =
        query.execute(
            "SELECT source, min(trace), max(trace) FROM samples WHERE stage = 'http.request'"
                + " AND start_nanos BETWEEN ? AND ? AND source IS NOT NULL GROUP BY source",
            startNanos,
            startNanos + durationNanos)) {
      while (rows.next()) {
        ranges.add(
            "SELECT * FROM traces WHERE source = %s AND trace BETWEEN %s AND %s"
                .formatted(SqlText.literal(rows.text(0)), rows.integer(1), rows.integer(2)));
      }
    }
    return ranges.isEmpty()
        ? "(SELECT * FROM traces WHERE false)"
        : "(" + String.join(" UNION ALL ", ranges) + ")";
  }

  /**
   * Returns traces of the object and the requests. There may be many traces without an object.
   *
   * @param from the table, or a subset of its rows to search
   */
  private List<Seen> traces(List<SentRequest> sent, String from) throws QueryException {
    List<Object> parameters = new ArrayList<>();
    parameters.add(pid);
    sent.stream()
        .map(request -> request.request().traceparent())
        .filter(traceparent -> !traceparent.isEmpty())
        .distinct()
        .forEach(parameters::add);
    String traceparents =
        parameters.size() == 1
            ? ""
            : " OR traceparent IN ("
                + String.join(", ", Collections.nCopies(parameters.size() - 1, "?"))
                + ")";
    List<Seen> seen = new ArrayList<>();
    try (Rows rows =
        query.execute(
            """
            SELECT t.source, trace, coalesce(root_stage, ''), coalesce(traceparent, ''),
              coalesce(operation, ''), coalesce(failed, false), coalesce(pid, ''),
              coalesce(attributes, '')
            FROM (SELECT * FROM %s WHERE pid = ? AND pid <> ''%s) t LEFT JOIN sources s USING (source)
            ORDER BY t.source, trace"""
                .formatted(from, traceparents),
            parameters.toArray())) {
      while (rows.next()) {
        Trace trace =
            new Trace(
                rows.text(0),
                rows.integer(1),
                rows.text(2),
                rows.text(3),
                rows.text(4),
                rows.flag(5));
        seen.add(new Seen(trace, rows.text(6), SourceAttributes.bootId(rows.text(7))));
      }
    }
    return seen;
  }

  private Attempt attempt(Pair pair, boolean brief) throws QueryException {
    Request request = pair.sent() == null ? null : pair.sent().request();
    Seen seen = pair.seen();
    if (seen == null) {
      return new Attempt(
          request,
          null,
          ClockShift.ALONE.toClock(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          false,
          false);
    }
    ClockShift shift = shift(pair);
    List<Sample> samples = records.samples(seen.trace(), shift, pair.sent());
    boolean leftOut = samples.size() > TraceRecords.MAX_SAMPLES;
    samples = samples.subList(0, Math.min(TraceRecords.MAX_SAMPLES, samples.size()));
    String mainThread = mainThread(samples, seen.trace().rootStage());
    Map<String, List<Sample>> byThread = new LinkedHashMap<>();
    samples.forEach(
        sample -> byThread.computeIfAbsent(sample.thread(), name -> new ArrayList<>()).add(sample));
    long zero = zero(shift, pair.sent(), byThread.get(mainThread));
    List<Span> stages = new ArrayList<>();
    List<Span> otherThreads = new ArrayList<>();
    byThread.forEach(
        (thread, ofThread) ->
            (thread.equals(mainThread) ? stages : otherThreads)
                .addAll(Waterfall.trees(ofThread, zero)));
    long end = samples.stream().mapToLong(Sample::endNanos).max().orElse(Long.MIN_VALUE);
    List<LogLine> logs = brief ? List.of() : records.logs(seen.trace(), samples, zero, end);
    return new Attempt(
        request,
        seen.trace(),
        shift.toClock(),
        stages,
        otherThreads,
        records.flushAfter(seen.trace(), samples, zero, brief ? SOON_NANOS : Long.MAX_VALUE / 2),
        logs.subList(0, Math.min(TraceRecords.MAX_LOG_LINES, logs.size())),
        leftOut,
        logs.size() > TraceRecords.MAX_LOG_LINES);
  }

  private ClockShift shift(Pair pair) throws QueryException {
    if (pair.sent() == null) {
      return ClockShift.ALONE;
    }
    SentRequest sent = pair.sent();
    Seen seen = pair.seen();
    if (seen.trace().source().equals(sent.request().source())
        || (!sent.bootId().isEmpty() && sent.bootId().equals(seen.bootId()))) {
      return ClockShift.NONE;
    }
    return ClockShift.between(
        query, sent.request().source(), sent.startNanos(), seen.trace().source());
  }

  /** Returns the thread of the trace's root; if that sample is missing, of the earliest one. */
  private static String mainThread(List<Sample> samples, String rootStage) {
    return samples.stream()
        .filter(sample -> sample.stage().equals(rootStage))
        .findFirst()
        .or(() -> samples.stream().findFirst())
        .map(Sample::thread)
        .orElse("");
  }

  /** Returns the agent's time at the attempt's start. */
  private static long zero(ClockShift shift, SentRequest sent, List<Sample> mainThread) {
    if (shift.nanos() != null) {
      return sent.startNanos() + shift.nanos();
    }
    if (mainThread == null) {
      return 0;
    }
    long first = mainThread.get(0).startNanos();
    if (sent == null) {
      return first;
    }
    long last = mainThread.stream().mapToLong(Sample::endNanos).max().orElseThrow();
    return first - (sent.request().durationNanos() - (last - first)) / 2;
  }
}
