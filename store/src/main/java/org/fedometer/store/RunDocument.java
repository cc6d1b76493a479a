package org.fedometer.store;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Content of a run's {@code run.json}. Times of day are ISO-8601 in UTC. Durations and instants
 * named {@code Nanos} are readings of {@code System.nanoTime()} on the host identified by {@code
 * bootId}. Unknown fields are null.
 *
 * @param schema version of this format, {@link #SCHEMA}
 * @param id ULID
 * @param name the run's name, also its folder's
 * @param state {@code running}, {@code done}, {@code done-with-errors}, {@code imported}, {@code
 *     failed} or {@code interrupted}; {@code monitoring} for samples without a load
 * @param failure cause of a failure, or null
 * @param profile the tuning profile as resolved
 * @param dataset the dataset as resolved
 * @param workers concurrent requests of the driver
 * @param ratePerSecond arrival rate in objects per second, or null in a closed model
 * @param workload the driver's further options by name, as resolved: transport of content, mix of
 *     operations, load and so on; null in older documents
 * @param statements counts of statements that objects add to others, or null if none does
 * @param triples counts of triples, or null if there is no triplestore
 * @param verification result of the final verification, or null
 * @param phases the run's steps in order
 * @param outages absences of Fedora or the driver, in order; null in older documents
 * @param load course of the load beyond its original options; null if none, and in older documents
 * @param versions of Fedometer, its git commit, Fedora, database, triplestore, JVM
 * @param environment host, processor, memory, kernel, operating system and the like
 * @param configurationFiles paths below the run folder of Fedora's configuration as used
 * @param logFiles paths below the run folder of the logs kept
 * @param bootId identity of the host's boot, for the {@code nanoTime} readings
 * @param started time of day
 * @param ended time of day, or null
 * @param notes gaps in the run's record, a sentence each; null in older documents
 * @param experiment its place in an experiment; null without one, and in older documents
 * @param imported source of an imported run, whose {@code Nanos} count from 1970; null for all
 *     others, and in older documents
 */
public record RunDocument(
    int schema,
    String id,
    String name,
    String state,
    Failure failure,
    Profile profile,
    Dataset dataset,
    int workers,
    Double ratePerSecond,
    Map<String, String> workload,
    ObjectCounts objects,
    StatementCounts statements,
    TripleCounts triples,
    RequestCounts requests,
    Verification verification,
    List<Phase> phases,
    List<Outage> outages,
    Load load,
    Map<String, String> versions,
    Map<String, String> environment,
    List<String> configurationFiles,
    List<String> logFiles,
    String bootId,
    String started,
    String ended,
    List<String> notes,
    Experiment experiment,
    Imported imported) {

  /** The version that this code writes. */
  public static final int SCHEMA = 1;

  /** Starts a document without counts, with empty lists and maps. */
  public static RunDocumentBuilder builder(String name, String state) {
    return new RunDocumentBuilder(name, state);
  }

  public RunDocumentBuilder toBuilder() {
    return new RunDocumentBuilder(this);
  }

  /**
   * Returns the run with another end, for a run whose driver could not record it; {@code newState}
   * is a {@link #state}.
   */
  public RunDocument endedAs(String newState, Failure cause) {
    return toBuilder().state(newState).failure(cause).build();
  }

  /**
   * The reason why a run did not end well.
   *
   * @param step name of the step: {@code provision}, {@code collect}, {@code start}, ...
   * @param message one sentence for the user
   * @param log path of the log to read, or null
   */
  public record Failure(String step, String message, String log) {}

  /**
   * @param name such as {@code mptstore-postgresql}
   * @param choices dimension to choice
   * @param settings every setting as used
   */
  public record Profile(String name, Map<String, String> choices, Map<String, String> settings) {}

  /**
   * @param name such as {@code patents}
   * @param parameters resolved, including the seed
   */
  public record Dataset(String name, Map<String, String> parameters) {}

  /**
   * @param ingested acknowledged by Fedora
   * @param failed abandoned after retries
   * @param counted objects of this dataset in Fedora's registry at the end, or null
   * @param verified read back with equal checksums
   * @param bytes content bytes of the ingested objects
   * @param purged ingested, and then purged as requested
   */
  public record ObjectCounts(
      long requested,
      long ingested,
      long failed,
      Long counted,
      long verified,
      long bytes,
      long purged) {

    /** Creates counts of a run that purges nothing. */
    public ObjectCounts(
        long requested, long ingested, long failed, Long counted, long verified, long bytes) {
      this(requested, ingested, failed, counted, verified, bytes, 0);
    }

    /** Returns whether Fedora has the expected number; false if not counted. */
    public boolean allThere() {
      return counted != null && counted == ingested - purged;
    }
  }

  /**
   * @param added to existing objects in Fedora, as the dataset requires
   * @param failed abandoned after retries, or open when the run ended
   */
  public record StatementCounts(long added, long failed) {}

  /**
   * @param before in the triplestore before the ingest
   * @param expected added by the ingested objects, by the formula
   * @param counted actually added, after the final flush
   */
  public record TripleCounts(Long before, Long expected, Long counted) {}

  /**
   * Counts of the driver that wrote the document last; for a resumed run, the table {@code
   * requests} has those of all.
   *
   * @param sent all, including retries
   * @param retried sent again after a failure
   * @param failed with an error response, or none
   * @param failures at most twenty, with Fedora's own message
   */
  public record RequestCounts(long sent, long retried, long failed, List<FailedRequest> failures) {}

  /**
   * @param operation as in the table of requests; null in older documents, which mean {@code
   *     ingest}
   * @param attempt one for the first
   * @param status HTTP status, or 0 without a response
   * @param message Fedora's own, truncated
   */
  public record FailedRequest(
      String operation, String pid, int attempt, int status, String message) {}

  /**
   * @param sampledObjects number of objects read back
   * @param problems one sentence each
   */
  public record Verification(
      boolean ok, long sampledObjects, long sampledBytes, List<String> problems) {
    /** A document may lack the problems. */
    public Verification {
      problems = problems == null ? List.of() : problems;
    }
  }

  /**
   * A step of the job that produced the run.
   *
   * @param name one of {@link #NAMES}
   */
  public record Phase(String name, long startNanos, long endNanos) {
    public static final String READ = "read";
    public static final String COLLECT = "collect";
    public static final String PROVISION = "provision";
    public static final String START = "start";
    public static final String INGEST = "ingest";

    /**
     * After a resumption or an outage of Fedora: checks whether Fedora has kept all that it
     * acknowledged. Neither load nor flush, and in no rate.
     */
    public static final String CHECK = "check";

    public static final String DRAIN = "drain";
    public static final String VERIFY = "verify";
    public static final String INDEX = "index";
    public static final String STOP = "stop";
    public static final String IMPORT = "import";
    public static final String SEAL = "seal";

    /** All of them, in order. */
    public static final List<String> NAMES =
        List.of(
            READ, COLLECT, PROVISION, START, INGEST, CHECK, DRAIN, VERIFY, INDEX, STOP, IMPORT,
            SEAL);

    /** Steps with a marker of their name at the start, when the collector is already running. */
    public static final List<String> MARKED =
        List.of(PROVISION, START, INGEST, DRAIN, VERIFY, INDEX, STOP, SEAL);
  }

  /**
   * @param who the absent party: {@link #FEDORA} or {@link #DRIVER}
   * @param startNanos nanoTime of the detection
   * @param endNanos nanoTime when Fedora responded again, or the run gave up
   * @param reason the observation, a sentence
   */
  public record Outage(String who, long startNanos, long endNanos, String reason) {

    /** Requests failed. */
    public static final String FEDORA = "fedora";

    /** It had ended, and was started again later. */
    public static final String DRIVER = "driver";
  }

  /**
   * @param endedBy reason of an end before the last object, a sentence; null if none
   * @param highestCleanRate objects per second of the highest step of a ramp before the first
   *     unclean one; null if it was no ramp, or no step was clean
   * @param steps in order, a warm-up first; empty if none
   * @param pauses requested by the user, in order
   * @param changes of workers and rate during the load, in order
   */
  public record Load(
      String endedBy,
      Double highestCleanRate,
      List<LoadStep> steps,
      List<Pause> pauses,
      List<LoadChange> changes) {}

  /**
   * A step of a load; a request belongs to the step of its intended start.
   *
   * @param outcome {@link #WARM_UP}, {@link #CLEAN}, {@link #ERRORS}, {@link #NOT_HELD}, {@link
   *     #CUT}, or another version's; null if unknown
   * @param workers concurrent requests
   * @param ratePerSecond arrival rate in objects per second, or null in a closed model
   * @param seconds without pauses
   * @param ingested objects acknowledged during the step
   * @param failedRequests with an error response, or none
   * @param late objects started late, or not at all
   * @param serviceMillis from the sending of a request; null if none succeeded
   * @param responseMillis of the same requests, from their intended start
   * @param operations of its requests, by kind; empty in older runs
   */
  public record LoadStep(
      String outcome,
      int workers,
      Double ratePerSecond,
      long startNanos,
      long endNanos,
      double seconds,
      long ingested,
      long failedRequests,
      long late,
      Percentiles serviceMillis,
      Percentiles responseMillis,
      List<StepOperation> operations) {

    public LoadStep {
      operations =
          operations == null ? List.of() : operations.stream().filter(Objects::nonNull).toList();
    }

    /** Creates a step without operations by kind. */
    public LoadStep(
        String outcome,
        int workers,
        Double ratePerSecond,
        long startNanos,
        long endNanos,
        double seconds,
        long ingested,
        long failedRequests,
        long late,
        Percentiles serviceMillis,
        Percentiles responseMillis) {
      this(
          outcome,
          workers,
          ratePerSecond,
          startNanos,
          endNanos,
          seconds,
          ingested,
          failedRequests,
          late,
          serviceMillis,
          responseMillis,
          List.of());
    }

    /** The operations of an ingest. */
    private static final Set<String> OF_INGESTS = Set.of("ingest", "upload", "add-relationship");

    /** Before the first step; not reported with the others. */
    public static final String WARM_UP = "warm-up";

    /** No request failed, and the rate was held. */
    public static final String CLEAN = "clean";

    /** A request failed. */
    public static final String ERRORS = "errors";

    /** Too many objects were late. */
    public static final String NOT_HELD = "not-held";

    /** The load ended before the step did. */
    public static final String CUT = "cut";

    public double objectsPerSecond() {
      return perSecond(ingested);
    }

    /** Returns whether some requests were no part of an ingest, such as reads. */
    public boolean mixed() {
      return operations.stream()
          .anyMatch(kind -> !OF_INGESTS.contains(String.valueOf(kind.operation())));
    }

    /** Returns the successful requests of all kinds; for ingests alone, the objects. */
    public long done() {
      return mixed() ? operations.stream().mapToLong(StepOperation::done).sum() : ingested;
    }

    public double donePerSecond() {
      return perSecond(done());
    }

    public double perSecond(long number) {
      return seconds > 0 ? number / seconds : 0;
    }
  }

  /**
   * The requests of one kind in a step.
   *
   * @param operation such as {@code get-datastream}
   * @param done successful ones
   * @param failedRequests with an error response, or none
   * @param serviceMillis as for the step; null if none succeeded
   * @param responseMillis as for the step; null if there are none
   */
  public record StepOperation(
      String operation,
      long done,
      long failedRequests,
      Percentiles serviceMillis,
      Percentiles responseMillis) {}

  /** Percentiles and the maximum, in one unit. */
  public record Percentiles(double p50, double p95, double p99, double max) {}

  public record Pause(long startNanos, long endNanos) {}

  /**
   * Measurements of another tool. The run's notes have the assumptions made for it.
   *
   * @param format {@code durations}, {@code jmeter} or {@code ycsb}
   * @param file its name without folders, {@code -} for standard input
   * @param sha256 of the original file, in hexadecimal digits
   * @param unit of its durations: {@code ns}, {@code us}, {@code ms} or {@code s}
   * @param ingestLabel the label of ingest requests; null if not given
   * @param resolutionNanos resolution of the durations, given or detected; null for older versions
   */
  public record Imported(
      String format,
      String file,
      String sha256,
      long bytes,
      String unit,
      String ingestLabel,
      long requests,
      Long resolutionNanos) {

    /** Returns the nanoseconds of one unit in the file; 1 for an unknown unit. */
    public long unitNanos() {
      return switch (unit == null ? "" : unit) {
        case "us" -> 1_000;
        case "ms" -> 1_000_000;
        case "s" -> 1_000_000_000;
        default -> 1;
      };
    }
  }

  /**
   * @param workers from then on
   * @param ratePerSecond from then on, or null for a closed model
   */
  public record LoadChange(long atNanos, int workers, Double ratePerSecond) {}

  /**
   * A run's place in an experiment: profiles times repetitions in an order.
   *
   * @param id ULID of the experiment
   * @param label of the run's profile; two labels may have the same profile, to show the effect of
   *     chance
   * @param baseline the label for comparison with the others
   * @param labels of all its profiles, in its file's order
   * @param order {@code interleaved}, {@code randomised} or {@code as-written}
   * @param repetition of the profile, from 1
   * @param block consecutive runs, one of each profile, which can be paired; from 1; null if the
   *     order has none
   * @param place in the order of all runs, from 1
   * @param attempt from 1; 2 and more replace runs that were set aside
   * @param warmObjects number of warm-up objects at the beginning; null if detected afterwards
   * @param pageCache {@code cold} if the page cache was dropped before the run, otherwise {@code
   *     warm}
   */
  public record Experiment(
      String id,
      String name,
      String label,
      String baseline,
      List<String> labels,
      String order,
      long seed,
      int repetition,
      Integer block,
      int place,
      int attempt,
      Long warmObjects,
      String pageCache) {}
}
