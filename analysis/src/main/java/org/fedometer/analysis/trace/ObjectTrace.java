package org.fedometer.analysis.trace;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.store.RunView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.RequestSql;

/**
 * One object's path from the client to the disk: every attempt to ingest it and its other requests,
 * as measured by the driver and Fedora. Immutable, safe on any thread.
 *
 * @param attempts the oldest first, at least one
 * @param notShown number of omitted requests by operation
 */
public record ObjectTrace(
    String run, String pid, List<Attempt> attempts, SortedMap<String, Integer> notShown) {

  public ObjectTrace {
    Objects.requireNonNull(run, "run");
    Objects.requireNonNull(pid, "pid");
    attempts = List.copyOf(attempts);
    notShown = Collections.unmodifiableSortedMap(new TreeMap<>(notShown));
  }

  /**
   * Finds an object's attempts in a run.
   *
   * @throws NoSuchObjectException if there is none; the message lists similar PIDs, or existing
   *     attempts
   * @throws QueryException if a sealed table is unreadable
   */
  public static ObjectTrace of(RunView run, String pid, Choice choice)
      throws IOException, QueryException, NoSuchObjectException {
    try (Query query = run.query()) {
      return of(run.name(), pid, choice, query);
    }
  }

  static ObjectTrace of(String run, String pid, Choice choice, Query query)
      throws QueryException, NoSuchObjectException {
    return new TraceFinder(run, pid, query).find(choice);
  }

  /**
   * Selects attempts: ingests of the object, and other requests for it only if no ingest is
   * recorded or all are selected.
   *
   * @param attempt number from 1, or 0 for the newest; ignored for all
   */
  public record Choice(boolean all, int attempt) {
    public static final Choice NEWEST = new Choice(false, 0);
    public static final Choice ALL = new Choice(true, 0);

    public Choice {
      if (attempt < 0) {
        throw new IllegalArgumentException("attempt is " + attempt + ", attempts count from 1");
      }
    }
  }

  /**
   * @param request measured by the driver, null if not recorded
   * @param trace measured by Fedora, null if not recorded
   * @param clock how both times were mapped
   * @param stages stages on the request's thread, the outermost first
   * @param otherThreads stages of the same trace on other threads
   * @param later deferred work, shared with other objects: the subsequent flush of triples
   * @param logs lines of Fedora's log for the trace, oldest first
   * @param samplesLeftOut samples of the trace beyond {@link TraceRecords#MAX_SAMPLES}
   */
  public record Attempt(
      Request request,
      Trace trace,
      Clock clock,
      List<Span> stages,
      List<Span> otherThreads,
      List<Span> later,
      List<LogLine> logs,
      boolean samplesLeftOut,
      boolean logsLeftOut) {

    public Attempt {
      stages = List.copyOf(stages);
      otherThreads = List.copyOf(otherThreads);
      later = List.copyOf(later);
      logs = List.copyOf(logs);
    }

    /**
     * Returns the time outside Fedora: the request less its outermost stages; null if either is not
     * recorded. Negative if Fedora continued after the driver had its response.
     */
    public Long beyondFedoraNanos() {
      return request == null || stages.isEmpty()
          ? null
          : request.durationNanos() - stages.stream().mapToLong(Span::durationNanos).sum();
    }
  }

  /**
   * @param source UUID of the driver
   * @param operation intended operation, such as {@code ingest}
   * @param number of the attempt, from 1
   * @param startEpochNanos time of day, null if unknown
   * @param lateNanos from its intended start to its start
   * @param status HTTP status, 0 without a response
   * @param message error message, or empty
   */
  public record Request(
      String source,
      String operation,
      int number,
      int worker,
      Long startEpochNanos,
      long lateNanos,
      long durationNanos,
      int status,
      long contentBytes,
      String traceparent,
      String message) {
    boolean isIngest() {
      return operation.equals(RunReport.INGEST);
    }

    public boolean succeeded() {
      return RequestSql.succeeded(status);
    }
  }

  /**
   * @param source UUID of the agent
   * @param number of the trace within the source
   * @param operation such as {@code ingest}, empty if unknown
   */
  public record Trace(
      String source,
      long number,
      String rootStage,
      String traceparent,
      String operation,
      boolean failed) {}

  /**
   * The mapping of Fedora's times to the driver's.
   *
   * @param uncertaintyNanos maximum error in either direction; 0 on one clock, null if unknown
   */
  public record Clock(Placement placement, Long uncertaintyNanos) {}

  public enum Placement {
    /** Driver and Fedora ran on one host: one clock. */
    SAME_CLOCK,
    /** By clock exchanges with the collector. */
    CLOCK_EXCHANGE,
    /** Unknown clocks: Fedora's part is drawn in the middle of the request. */
    CENTRED,
    /** Only one of the two is recorded, so nothing was mapped. */
    ALONE
  }

  /**
   * A stage, or many of one name combined.
   *
   * @param calls 1, or the number of combined stages
   * @param startNanos since the attempt's start: the driver's request, or Fedora's outermost stage
   *     without one
   * @param endNanos end of the last of them, on the same scale
   * @param durationNanos sum of their times
   * @param selfNanos sum of their times without nested stages
   * @param failed number that ended by an exception
   * @param children nested stages on the same thread, in order of start
   */
  public record Span(
      String stage,
      String thread,
      long calls,
      long startNanos,
      long endNanos,
      long durationNanos,
      long selfNanos,
      long failed,
      List<Span> children) {
    public Span {
      children = List.copyOf(children);
    }
  }

  /**
   * @param atNanos since the attempt's start, as in {@link Span}
   */
  public record LogLine(
      long atNanos, String level, String logger, String thread, String message, String thrown) {}
}
