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
 * One object's way from the client to the disk: every attempt to ingest it and what else was asked
 * for it, as the driver and as Fedora saw it. Immutable, safe on any thread.
 *
 * @param attempts the oldest first, at least one
 * @param notShown how many more requests there are, by their operation: what the choice left out
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
   * @throws NoSuchObjectException names the nearest PIDs, or the attempts there are
   * @throws QueryException a sealed table cannot be read
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
   * Which attempts are meant: those to ingest the object, and those of other requests for it only
   * where no ingest is on record or all are asked for.
   *
   * @param attempt the one of that number, from 1, or 0 for the newest; of no meaning for all
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
   * @param request as the driver saw it, null where no request of it is on record
   * @param trace as Fedora saw it, null where nothing of it is on record
   * @param clock how the two were brought together
   * @param stages what ran on the request's thread, the outermost first
   * @param otherThreads what ran for the same trace on other threads
   * @param later work for the object that Fedora put off, and shared with other objects: the flush
   *     of triples that followed
   * @param logs lines of Fedora's log that belong to the trace, oldest first
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
     * What the driver saw beyond Fedora: the request less its outermost stages; null where one of
     * the two is not on record. Negative where Fedora went on after the driver had its answer.
     */
    public Long beyondFedoraNanos() {
      return request == null || stages.isEmpty()
          ? null
          : request.durationNanos() - stages.stream().mapToLong(Span::durationNanos).sum();
    }
  }

  /**
   * @param source UUID of the driver
   * @param operation what it set out to do, such as {@code ingest}
   * @param number of the attempt, from 1
   * @param startEpochNanos time of day, null where unknown
   * @param lateNanos from when it was due to its start
   * @param status HTTP status, 0 without an answer
   * @param message what went wrong, or empty
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
   * How Fedora's times were placed on the driver's.
   *
   * @param uncertaintyNanos they may be off by as much either way; 0 on one clock, null where
   *     unknown
   */
  public record Clock(Placement placement, Long uncertaintyNanos) {}

  public enum Placement {
    /** Driver and Fedora ran on one host: one clock. */
    SAME_CLOCK,
    /** By exchanges of clocks with the collector. */
    CLOCK_EXCHANGE,
    /** Nothing is known of the clocks: Fedora's part is drawn in the middle of the request. */
    CENTRED,
    /** Only one of the two is on record, so there was nothing to place. */
    ALONE
  }

  /**
   * A stage, or many of one name folded together.
   *
   * @param calls 1, or how many were folded
   * @param startNanos since the attempt's beginning: the driver's request, or Fedora's outermost
   *     stage where there is none
   * @param endNanos when the last of them ended, on the same scale
   * @param durationNanos sum of their times
   * @param selfNanos sum of their times without the stages inside
   * @param failed how many ended by an exception
   * @param children inside it on the same thread, in order of start
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
   * @param atNanos since the attempt's beginning, as in {@link Span}
   */
  public record LogLine(
      long atNanos, String level, String logger, String thread, String message, String thrown) {}
}
