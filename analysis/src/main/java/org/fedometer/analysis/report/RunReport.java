package org.fedometer.analysis.report;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.store.RunView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/**
 * A report on one run, computed from its folder only. Immutable, safe on any thread.
 *
 * <p>Unknown values (of a run that failed early, or a monitoring run without requests) are null or
 * empty lists, never zero or NaN. {@code docs/report.md} documents the numbers.
 *
 * @param run {@code run.json} with non-null collections; without one, only state {@link
 *     RunState#MONITORING}
 * @param objects counts of objects, or null for a monitoring run
 * @param requests counts of the driver's requests, or null if it sent none
 * @param operations its recorded requests by intended operation, ingests first
 * @param speed throughput and service times of the ingest, or null without ingested objects
 * @param clientTime the driver's times compared with Fedora's, or null if undetermined
 * @param parts further parts, each with its own section
 * @param problems caveats for all numbers, the worst first
 */
public record RunReport(
    RunDocument run,
    RunDocument.ObjectCounts objects,
    Requests requests,
    List<Operation> operations,
    Speed speed,
    ClientTime clientTime,
    Samples samples,
    LogCounts logs,
    Stages stages,
    List<ReportPart> parts,
    List<Problem> problems) {

  /** Name of the operation that adds a new object to Fedora. */
  public static final String INGEST = "ingest";

  private static final int MAX_ATTEMPTS = 5;

  public RunReport {
    Objects.requireNonNull(run, "run");
    Objects.requireNonNull(samples, "samples");
    Objects.requireNonNull(logs, "logs");
    Objects.requireNonNull(stages, "stages");
    operations = List.copyOf(operations);
    parts = List.copyOf(parts);
    problems = List.copyOf(problems);
  }

  /**
   * Computes the report of a run from {@code run.json}, if it exists, and sealed data.
   *
   * @throws IOException if {@code run.json} is unreadable; the message is one sentence
   * @throws QueryException if a sealed table is unreadable
   */
  public static RunReport of(RunView run) throws IOException, QueryException {
    RunDocument document = run.hasDocument() ? run.document() : null;
    try (Query query = run.query()) {
      return of(document, run.name(), query);
    }
  }

  /**
   * @param document {@code run.json}, or null for a monitoring run
   * @param name the run's name, used if the document has none
   * @param query on the tables of this run; used by this thread until the call returns
   */
  public static RunReport of(RunDocument document, String name, Query query) throws QueryException {
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      Optional<RunReport> report = new ReportBuilder(document, name, query).build();
      if (report.isPresent()) {
        return report.get();
      }
    }
    throw new QueryException(
        "The run's files were merged repeatedly while they were read; try again");
  }

  /** Returns whether the run completed without problems; notes do not count. */
  public boolean endedWell() {
    return (RunState.DONE.is(run.state()) || RunState.IMPORTED.is(run.state()) || isMonitoringRun())
        && problems.stream().noneMatch(problem -> problem.severity() == Severity.WRONG);
  }

  /** Returns whether this is a monitoring run: samples without a Fedometer workload. */
  public boolean isMonitoringRun() {
    return RunState.MONITORING.is(run.state());
  }

  /** Returns whether the run is imported from other tools' measurements: it has only requests. */
  public boolean imported() {
    return run.imported() != null;
  }

  /** Returns the number of requests at the edges that may be timed on one side only. */
  static long fewOf(long requests) {
    return Math.max(2, requests / 50);
  }

  /**
   * Returns whether any request was late, so that response times exceed service times; never true
   * in a closed model.
   */
  public boolean anyLate() {
    return operations.stream().anyMatch(operation -> operation.late() > 0);
  }

  /** Returns whether requests had scheduled starts, independent of Fedora. */
  public boolean openModel() {
    return openModel(run, anyLate());
  }

  /**
   * As {@link #openModel()} for any run; the single rule for reports and comparisons.
   *
   * @param anyLate whether any of its requests was late, for any operation and response
   */
  public static boolean openModel(RunDocument run, boolean anyLate) {
    return run.ratePerSecond() != null || anyLate;
  }

  public enum Severity {
    /** The run's result is unreliable. */
    WRONG,
    /** Worth knowing; the result stands. */
    NOTE
  }

  /**
   * @param message one sentence in plain words
   */
  public record Problem(Severity severity, String message) {
    public Problem {
      Objects.requireNonNull(severity, "severity");
      Objects.requireNonNull(message, "message");
    }
  }

  /**
   * @param sent all requests, retries included
   * @param retried second and later attempts
   * @param failed with an error response, or without a response
   * @param failures the failed ones grouped by operation, status and Fedora's message, most
   *     frequent first
   */
  public record Requests(long sent, long retried, long failed, List<FailureGroup> failures) {
    public Requests {
      failures = List.copyOf(failures);
    }
  }

  /**
   * Requests of one operation.
   *
   * @param name such as {@code ingest}
   * @param count all of them, further attempts included
   * @param failed with an error response, or without a response
   * @param givenUp failed, and no further attempt followed
   * @param late began at least a millisecond after their intended start; threads wake up less
   *     exactly
   * @param serviceTime of successful requests, from actual start to the end of the response; null
   *     without any
   * @param responseTime of the same requests from their intended start; null if {@code serviceTime}
   *     is
   */
  public record Operation(
      String name,
      long count,
      long failed,
      long givenUp,
      long late,
      Latency serviceTime,
      Latency responseTime) {

    boolean isIngest() {
      return name.equals(INGEST);
    }

    /**
     * Returns whether a requested operation was not done. Ingests are judged by their objects: one
     * may be in Fedora without a response.
     */
    boolean leftUndone() {
      return !isIngest() && givenUp > 0;
    }
  }

  /**
   * @param status HTTP status, or 0 without a response
   * @param message Fedora's message for the first of them
   * @param firstPid the first affected object
   */
  public record FailureGroup(
      String operation, long count, int status, String message, String firstPid) {

    boolean ofIngests() {
      return operation.equals(INGEST);
    }
  }

  /**
   * Speed of the ingest. In a closed model, each of W workers sends its next object after the
   * previous response. These are therefore service times, not what users with an arrival rate would
   * see.
   *
   * @param overall from the first request to the end of the drain, including the final flush of
   *     triples
   * @param finalFlushIncluded whether the drain is known and in {@code overall}
   * @param ingest from the first request to the last response, without the drain
   * @param cold the warm-up, or null without one; for a run that never settled, its first half
   * @param warm the objects after it, or null if there are none or the run is too short; for a run
   *     that never settled, its second half
   * @param growth of the time per object with the repository, without the warm-up; null if the run
   *     is too short, or never settled because it got faster or jumped
   */
  public record Speed(
      Pace overall,
      boolean finalFlushIncluded,
      Pace ingest,
      WarmUp warmUp,
      Pace cold,
      Pace warm,
      SizeSlope growth) {}

  /**
   * @param objects ingested objects in that period
   * @param latency service times of its ingests, null for {@link Speed#overall}, which shares the
   *     ingest's
   */
  public record Pace(long objects, long nanos, Latency latency) {

    /** Returns objects per second, or null for an empty period. */
    public Double objectsPerSecond() {
      return nanos <= 0 ? null : objects * 1e9 / nanos;
    }
  }

  /**
   * Times of successful requests, by default service times of ingests. Exact: percentiles by
   * nearest rank over every request.
   *
   * @param count number of requests, at least 1
   */
  public record Latency(
      long count, double meanNanos, long p50Nanos, long p95Nanos, long p99Nanos, long maxNanos) {}

  /**
   * The driver's times compared with Fedora's.
   *
   * @param meanNanos mean time of a request, measured by the driver
   * @param meanHttpRequestNanos mean time of the stage {@code http.request} inside Fedora
   */
  public record ClientTime(double meanNanos, double meanHttpRequestNanos) {

    /** Returns the remainder: network, connection handling and the client itself. */
    public double beyondFedoraNanos() {
      return meanNanos - meanHttpRequestNanos;
    }
  }

  /**
   * @param received samples in the store
   * @param dropped samples that agents dropped due to full buffers, as they report
   * @param lost samples neither received nor reported as dropped; must be 0
   * @param sources each process that sent samples or totals
   */
  public record Samples(long received, long dropped, long lost, List<Source> sources) {
    public Samples {
      sources = List.copyOf(sources);
    }
  }

  /**
   * @param source UUID of the process
   * @param name its own name, or empty
   * @param recorded samples in its totals, dropped or not
   * @param received its samples in the store
   * @param dropped samples that its agent reports as dropped
   * @param framesDropped frames that its sender could not hold; their samples are lost
   * @param tracesDropped traces that its sender could not hold; their samples may be there
   * @param stagesSkipped executions of stages nested too deep to be timed
   * @param threadsRefused threads not recorded, since there were too many
   * @param finalTotals whether the totals are its last; without them a loss cannot be detected
   */
  public record Source(
      String source,
      String name,
      long recorded,
      long received,
      long dropped,
      long framesDropped,
      long tracesDropped,
      long stagesSkipped,
      long threadsRefused,
      boolean finalTotals) {

    /** Returns the samples lost without being reported as dropped. */
    public long lost() {
      return Math.max(0, recorded - received - dropped);
    }
  }

  /**
   * Lines of all logs, over the whole run.
   *
   * @param warnings WARN
   * @param errors ERROR and FATAL
   * @param assumed events of log senders whose level or time was missing or unreadable
   */
  public record LogCounts(long warnings, long errors, long assumed) {}

  /**
   * @param requests number of {@code http.request} samples of the ingest
   * @param requestNanos time of Fedora's request threads in them, the 100 % of the shares
   * @param list every stage with a sample of the ingest, most self time first
   */
  public record Stages(long requests, long requestNanos, List<Stage> list) {
    public Stages {
      list = List.copyOf(list);
    }
  }

  /**
   * A stage of Fedora's work during the ingest.
   *
   * @param name dotted, such as {@code ingest.validate.xsd}
   * @param failed executions that ended by an exception
   * @param totalNanos time between its starts and ends
   * @param selfNanos {@code totalNanos} without nested stages on the same thread
   * @param requestSelfNanos the part of {@code selfNanos} inside the ingest's requests
   * @param share {@code requestSelfNanos} relative to the time of all requests, 0 to 1, or null
   *     without requests
   * @param outsideCount executions outside the requests: on other threads, or in the drain
   * @param p50Nanos of {@code totalNanos}, as the other two: a measured time, never below the exact
   *     nearest rank and less than 0.1 % above it
   * @param maxNanos exact
   */
  public record Stage(
      String name,
      long count,
      long failed,
      long totalNanos,
      long selfNanos,
      long requestSelfNanos,
      Double share,
      long outsideCount,
      long p50Nanos,
      long p95Nanos,
      long p99Nanos,
      long maxNanos) {

    /** Returns the mean of the total time. */
    public double meanNanos() {
      return (double) totalNanos / count;
    }

    /**
     * Returns whether most executions were on threads without a request, or after the last request.
     */
    public boolean outside() {
      return 2 * outsideCount > count;
    }
  }
}
