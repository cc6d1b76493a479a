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
 * Everything a report says about one run, worked out from its folder alone. Immutable, safe on any
 * thread.
 *
 * <p>What is not known (a run that failed early, a monitoring run without requests) is null or an
 * empty list, never zero and never NaN. What each number means is told to users in {@code
 * docs/report.md}.
 *
 * @param run {@code run.json}, its collections never null; state {@link RunState#MONITORING} and no
 *     more where the run has none
 * @param objects counts of objects, or null for a monitoring run
 * @param requests counts of the driver's requests, or null where it sent none
 * @param operations its requests on record by what they set out to do, ingests first
 * @param speed throughput and service times of the ingest, or null where no object was ingested
 * @param clientTime what the driver saw beside what Fedora did, or null where it cannot be told
 * @param problems what the user should know before reading any figure, the worst first
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
    List<Problem> problems) {

  /** Name of the operation that puts a new object into Fedora. */
  public static final String INGEST = "ingest";

  private static final int MAX_ATTEMPTS = 5;

  public RunReport {
    Objects.requireNonNull(run, "run");
    Objects.requireNonNull(samples, "samples");
    Objects.requireNonNull(logs, "logs");
    Objects.requireNonNull(stages, "stages");
    operations = List.copyOf(operations);
    problems = List.copyOf(problems);
  }

  /**
   * Works a report out of a run: {@code run.json} where there is one, and what is sealed.
   *
   * @throws IOException one sentence: {@code run.json} cannot be read
   * @throws QueryException a sealed table cannot be read
   */
  public static RunReport of(RunView run) throws IOException, QueryException {
    RunDocument document = run.hasDocument() ? run.document() : null;
    try (Query query = run.query()) {
      return of(document, run.name(), query);
    }
  }

  /**
   * @param document {@code run.json}, or null for a monitoring run
   * @param name the run's name, used where the document has none
   * @param query answers for the tables of this run; used by this thread until the call returns
   */
  public static RunReport of(RunDocument document, String name, Query query) throws QueryException {
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      Optional<RunReport> report = new ReportBuilder(document, name, query).build();
      if (report.isPresent()) {
        return report.get();
      }
    }
    throw new QueryException(
        "The run's files were merged again and again while they were read; try it once more");
  }

  /** Whether the run went to its end and nothing is wrong with it; notes do not count. */
  public boolean endedWell() {
    return (RunState.DONE.is(run.state()) || RunState.IMPORTED.is(run.state()) || isMonitoringRun())
        && problems.stream().noneMatch(problem -> problem.severity() == Severity.WRONG);
  }

  /** Whether this is a monitoring run: samples only, no workload of ours. */
  public boolean isMonitoringRun() {
    return RunState.MONITORING.is(run.state());
  }

  /** Whether the run was made of what others have measured: then there are requests, no more. */
  public boolean imported() {
    return run.imported() != null;
  }

  /** So many requests may be at the edges, timed on one side and not on the other. */
  static long fewOf(long requests) {
    return Math.max(2, requests / 50);
  }

  /**
   * Whether any request was late, so that response times are more than service times; in a closed
   * loop none does.
   */
  public boolean anyLate() {
    return operations.stream().anyMatch(operation -> operation.late() > 0);
  }

  /** Whether requests were due at times of a schedule, whatever Fedora did. */
  public boolean openModel() {
    return openModel(run, anyLate());
  }

  /**
   * The same of any run: the one rule for reports and comparisons.
   *
   * @param anyLate whether any of its requests was late, of whatever operation and with whatever
   *     answer
   */
  public static boolean openModel(RunDocument run, boolean anyLate) {
    return run.ratePerSecond() != null || anyLate;
  }

  public enum Severity {
    /** The run's result cannot be taken at face value. */
    WRONG,
    /** Worth knowing, the result stands. */
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
   * @param failed answered by an error, or not at all
   * @param failures the failed ones grouped by operation, status and Fedora's own words, most
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
   * @param failed answered by an error, or not at all
   * @param givenUp failed, and no further attempt followed
   * @param late began a millisecond or more after they were due; threads wake up less exactly
   * @param serviceTime from the begin of a request to the end of its answer, of those that
   *     succeeded; null where none did
   * @param responseTime of the same requests from when they were due to the same end; null where
   *     {@code serviceTime} is
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
     * Whether something that was asked for was not done. Of ingests the objects tell: one may be in
     * Fedora although no answer said so.
     */
    boolean leftUndone() {
      return !isIngest() && givenUp > 0;
    }
  }

  /**
   * @param status HTTP status, or 0 where there was no answer
   * @param message Fedora's own words of the first of them
   * @param firstPid the object that it happened to first
   */
  public record FailureGroup(
      String operation, long count, int status, String message, String firstPid) {

    boolean ofIngests() {
      return operation.equals(INGEST);
    }
  }

  /**
   * How fast the ingest was. Closed model: each of W workers sends its next object when the last is
   * answered, so these are service times, not what users arriving at a rate of their own would see.
   *
   * @param overall from the first request to the end of the drain, so with the final flush of
   *     triples
   * @param finalFlushIncluded whether the drain is known and in {@code whole}
   * @param ingest from the first request to the last answer, without the drain
   * @param cold the warm-up, or null where there is none; of a run that never settled its first
   *     half
   * @param warm the objects after it, or null where there are none or the run is too short to tell;
   *     of a run that never settled its second half
   * @param growth how the time per object grows with the repository, without the warm-up; null
   *     where the run is too short to tell
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
   * @param objects how many were ingested in that stretch
   * @param latency service times of its ingests, null for {@link Speed#overall}, which shares the
   *     ingest's
   */
  public record Pace(long objects, long nanos, Latency latency) {

    /** Objects a second, or null where the stretch has no length. */
    public Double objectsPerSecond() {
      return nanos <= 0 ? null : objects * 1e9 / nanos;
    }
  }

  /**
   * Times of successful requests, of ingests where nothing else is said, and service times; exact:
   * percentiles by nearest rank over every request.
   *
   * @param count how many there are, at least 1
   */
  public record Latency(
      long count, double meanNanos, long p50Nanos, long p95Nanos, long p99Nanos, long maxNanos) {}

  /**
   * The driver's view beside Fedora's.
   *
   * @param meanNanos mean time of a request as the driver saw it
   * @param meanHttpRequestNanos mean time of the stage {@code http.request} inside Fedora
   */
  public record ClientTime(double meanNanos, double meanHttpRequestNanos) {

    /** Network, connection handling and the client itself: what is left. */
    public double beyondFedoraNanos() {
      return meanNanos - meanHttpRequestNanos;
    }
  }

  /**
   * @param received samples in the store
   * @param dropped samples that agents dropped because their buffers were full, counted by them
   * @param lost samples neither received nor counted as dropped; must be 0
   * @param sources each process that sent samples or totals
   */
  public record Samples(long received, long dropped, long lost, List<Source> sources) {
    public Samples {
      sources = List.copyOf(sources);
    }
  }

  /**
   * @param source UUID of the process
   * @param name what it calls itself, or empty
   * @param recorded samples that its totals count, whether dropped or not
   * @param received its samples in the store
   * @param dropped dropped and counted by its agent
   * @param framesDropped frames that its sender had no room for; their samples are lost
   * @param tracesDropped traces that it had no room for; their samples may be there
   * @param stagesSkipped executions of stages nested too deep to be timed
   * @param threadsRefused threads that it did not record, since there were too many
   * @param finalTotals whether the totals are its last; without them a loss cannot be told
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

    /** Samples that vanished without being counted as dropped. */
    public long lost() {
      return Math.max(0, recorded - received - dropped);
    }
  }

  /**
   * Lines of all logs, over the whole run.
   *
   * @param warnings WARN
   * @param errors ERROR and FATAL
   * @param assumed events of log senders whose level or time was not told, or could not be read
   */
  public record LogCounts(long warnings, long errors, long assumed) {}

  /**
   * @param requests how many {@code http.request} samples belong to the ingest
   * @param requestNanos time that Fedora's request threads spent in them, the 100 % of the shares
   * @param list every stage with a sample that belongs to the ingest, most self time first
   */
  public record Stages(long requests, long requestNanos, List<Stage> list) {
    public Stages {
      list = List.copyOf(list);
    }
  }

  /**
   * One stage of Fedora's work during the ingest.
   *
   * @param name dotted, such as {@code ingest.validate.xsd}
   * @param failed how often it ended by an exception
   * @param totalNanos time between its starts and ends
   * @param selfNanos total without the stages inside it on the same thread
   * @param requestSelfNanos the part of {@code ownNanos} spent inside the ingest's requests
   * @param share {@code requestOwnNanos} of the time of all requests, 0 to 1, or null where there
   *     was no request
   * @param besideCount how many of its runs were beside the requests: on other threads, or in the
   *     drain
   * @param p50Nanos of the total time, as the other two: a measured time, never below the exact
   *     nearest rank and above it by less than 0.1 %
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
      long besideCount,
      long p50Nanos,
      long p95Nanos,
      long p99Nanos,
      long maxNanos) {

    /** Mean of the total time. */
    public double meanNanos() {
      return (double) totalNanos / count;
    }

    /** Whether most of it ran on another thread than a request's, or after the last request. */
    public boolean beside() {
      return 2 * besideCount > count;
    }
  }
}
