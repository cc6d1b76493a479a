package org.fedometer.store;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What {@code run.json} says about a run. Times of day are ISO-8601 in UTC, durations and instants
 * named {@code Nanos} are readings of {@code System.nanoTime()} on the host that {@code bootId}
 * names. Fields that are not known yet are null.
 *
 * @param schema version of this document's shape, {@link #SCHEMA}
 * @param id ULID
 * @param name the run's name, also its folder's
 * @param state {@code running}, {@code done}, {@code done-with-errors}, {@code imported}, {@code
 *     failed} or {@code interrupted}; {@code watch} where samples of no run go
 * @param failure what went wrong, or null
 * @param profile the tuning profile as resolved
 * @param dataset the dataset as resolved
 * @param workers concurrent requests of the driver
 * @param ratePerSecond how many objects were due in a second, or null in a closed model
 * @param workload what else the driver was asked for, by name: how content travels, the mix of
 *     operations, the load and the like, as resolved; null in older documents
 * @param statements counts of statements that objects add to others, or null if none does
 * @param triples counts of triples, or null if there is no triplestore
 * @param verification what was checked at the end, or null
 * @param phases the run's steps in order
 * @param outages when Fedora was out of reach of the driver, or the driver not there, in order;
 *     null in older documents
 * @param load how the load went beyond what was asked for before it began; null where it is none,
 *     and in older documents
 * @param versions of Fedometer, its git commit, Fedora, database, triplestore, JVM
 * @param environment host, processor, memory, kernel, operating system and the like
 * @param configurationFiles paths below the run folder of Fedora's configuration as used
 * @param logFiles paths below the run folder of the logs kept
 * @param bootId identity of the host's boot, which {@code nanoTime} readings belong to
 * @param started time of day
 * @param ended time of day, or null
 * @param notes what is missing in the record of the run, a sentence each; null in older documents
 * @param experiment its place in an experiment; null of a run of none, and in older documents
 * @param imported where the run is from, if it was made of what others have measured; then its
 *     {@code Nanos} count from 1970; null of all others, and in older documents
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

  /** A document that says nothing else yet: no counts, empty lists and maps. */
  public static RunDocumentBuilder builder(String name, String state) {
    return new RunDocumentBuilder(name, state);
  }

  public RunDocumentBuilder toBuilder() {
    return new RunDocumentBuilder(this);
  }

  /** The same run, ended as its conductor could no longer say; {@code how} is a {@link #state}. */
  public RunDocument endedAs(String newState, Failure cause) {
    return toBuilder().state(newState).failure(cause).build();
  }

  /**
   * Why a run did not end well.
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
   * @param parameters resolved, the seed among them
   */
  public record Dataset(String name, Map<String, String> parameters) {}

  /**
   * @param ingested acknowledged by Fedora
   * @param failed given up after retries
   * @param counted what Fedora's registry holds of this dataset at the end, or null
   * @param verified read back with equal checksums
   * @param bytes content bytes of the ingested objects
   * @param purged ingested, and gone again as was asked for
   */
  public record ObjectCounts(
      long requested,
      long ingested,
      long failed,
      Long counted,
      long verified,
      long bytes,
      long purged) {

    /** Of a run that purges nothing. */
    public ObjectCounts(
        long requested, long ingested, long failed, Long counted, long verified, long bytes) {
      this(requested, ingested, failed, counted, verified, bytes, 0);
    }

    /** Whether Fedora holds as many as it should; false if they were not counted. */
    public boolean allThere() {
      return counted != null && counted == ingested - purged;
    }
  }

  /**
   * @param added to objects that were in Fedora, as the dataset asked for
   * @param failed given up after retries, or open when the run ended
   */
  public record StatementCounts(long added, long failed) {}

  /**
   * @param before in the triplestore before the ingest
   * @param expected added by the ingested objects, by the formula
   * @param counted added in fact, after the final flush
   */
  public record TripleCounts(Long before, Long expected, Long counted) {}

  /**
   * Of the driver that wrote the document last; of a run that was resumed, the table {@code
   * requests} has those of all.
   *
   * @param sent all, retries included
   * @param retried sent again after a failure
   * @param failed answered by an error, or not at all
   * @param failures at most twenty, with Fedora's own message
   */
  public record RequestCounts(long sent, long retried, long failed, List<FailedRequest> failures) {}

  /**
   * @param operation what was asked for, as in the table of requests; null in older documents,
   *     which mean {@code ingest}
   * @param attempt one for the first
   * @param status HTTP status, or 0 where there was no answer
   * @param message Fedora's own words, cut
   */
  public record FailedRequest(
      String operation, String pid, int attempt, int status, String message) {}

  /**
   * @param sampledObjects how many objects were read back
   * @param problems one sentence each
   */
  public record Verification(
      boolean ok, long sampledObjects, long sampledBytes, List<String> problems) {}

  /**
   * A step of the job that made the run.
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
     * Of a driver that went on, or in whose load Fedora was away: it looks whether Fedora has kept
     * what it acknowledged before. Neither load nor flush, and in no rate.
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

    /** Those at whose beginning a job sets a mark of their name: the collector is there by then. */
    public static final List<String> MARKED =
        List.of(PROVISION, START, INGEST, DRAIN, VERIFY, INDEX, STOP, SEAL);
  }

  /**
   * @param who was away: {@link #FEDORA} or {@link #DRIVER}
   * @param startNanos nanoTime when it was noticed
   * @param endNanos nanoTime when Fedora answered again, or the run gave up
   * @param reason what was noticed, a sentence
   */
  public record Outage(String who, long startNanos, long endNanos, String reason) {

    /** Requests failed. */
    public static final String FEDORA = "fedora";

    /** It had ended, and was started again later. */
    public static final String DRIVER = "driver";
  }

  /**
   * @param endedBy what ended it before its last object, a sentence; null if nothing did
   * @param highestCleanRate objects a second of the highest step of a ramp before one that was not
   *     clean; null if it was no ramp, or no step was clean
   * @param steps in order, a warm-up first; empty where it had none
   * @param pauses when nothing was sent because somebody had asked for it, in order
   * @param changes of workers and rate while it ran, in order
   */
  public record Load(
      String endedBy,
      Double highestCleanRate,
      List<LoadStep> steps,
      List<Pause> pauses,
      List<LoadChange> changes) {}

  /**
   * A step of a load; a request belongs to the step that it was due in.
   *
   * @param outcome {@link #WARM_UP}, {@link #CLEAN}, {@link #ERRORS}, {@link #NOT_HELD}, {@link
   *     #CUT}, or what another version knows; null where nobody has said
   * @param workers concurrent requests
   * @param ratePerSecond objects due in a second, or null in a closed model
   * @param seconds without pauses
   * @param ingested objects acknowledged meanwhile
   * @param failedRequests answered by an error, or not at all
   * @param late objects begun late, or not at all
   * @param serviceMillis from when a request was sent; null where none succeeded
   * @param responseMillis of the same requests, from when they were due
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

    /** A step of a run that has no operations by kind. */
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

    /** What an ingest consists of. */
    private static final Set<String> OF_INGESTS = Set.of("ingest", "upload", "add-relationship");

    /** Before the first step; not to be reported with the others. */
    public static final String WARM_UP = "warm-up";

    /** No request failed, and a rate was held. */
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

    /** Whether there were requests that are no part of an ingest, such as reads. */
    public boolean mixed() {
      return operations.stream()
          .anyMatch(kind -> !OF_INGESTS.contains(String.valueOf(kind.operation())));
    }

    /** Requests that did what they should, of all kinds; of ingests alone, objects. */
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
   * @param done that did what they should
   * @param failedRequests answered by an error, or not at all
   * @param serviceMillis as of the step; null where none succeeded
   * @param responseMillis as of the step; null where there are none
   */
  public record StepOperation(
      String operation,
      long done,
      long failedRequests,
      Percentiles serviceMillis,
      Percentiles responseMillis) {}

  /** Percentiles and the largest, in one unit. */
  public record Percentiles(double p50, double p95, double p99, double max) {}

  public record Pause(long startNanos, long endNanos) {}

  /**
   * What others have measured. What had to be assumed of it is among the run's notes.
   *
   * @param format {@code durations}, {@code jmeter} or {@code ycsb}
   * @param file its name without folders, {@code -} for standard input
   * @param sha256 of the file as it was given, in hexadecimal digits
   * @param unit that durations are written in: {@code ns}, {@code us}, {@code ms} or {@code s}
   * @param ingestLabel the label whose requests are ingests; null where nobody has said so
   * @param resolutionNanos how exactly durations were measured, as it was given or found; null in
   *     runs of versions that did not look for it
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

    /** What a duration of 1 in the file counts, nanoseconds; 1 of a unit that is not known. */
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
   * The place of a run in an experiment: profiles times repetitions in an order.
   *
   * @param id ULID of the experiment
   * @param label of the run's profile; the same profile may be in it under two, to show how much
   *     chance alone makes
   * @param baseline the label that the others are compared with
   * @param labels of all its profiles, as its file lists them
   * @param order {@code interleaved}, {@code randomised} or {@code as-written}
   * @param repetition of the profile, from 1
   * @param block runs of one block, one of each profile, were made after another and can be paired;
   *     from 1; null where the order has none
   * @param place in the order of all runs, from 1
   * @param attempt from 1; 2 and more stand for runs that were set aside
   * @param warmObjects so many objects at the beginning are its warm-up; null where that is found
   *     afterwards
   * @param pageCache {@code cold} if the page cache was dropped before the run, {@code warm} if it
   *     was left as it was
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
