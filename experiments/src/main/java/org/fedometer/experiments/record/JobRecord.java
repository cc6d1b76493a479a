package org.fedometer.experiments.record;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.fedometer.experiments.host.JobClock;
import org.fedometer.experiments.job.Moment;
import org.fedometer.experiments.load.LoadHistory;
import org.fedometer.store.JsonFault;
import org.fedometer.store.RunDocument;
import org.fedometer.wire.disk.Durable;

/**
 * What it takes to go on with a job after its process was killed, besides the journal: {@code
 * job.json} in the folder of both. The driver's own, in the store of its host, wherever the
 * collector is.
 *
 * @param runId ULID of the run
 * @param arguments the command line, without secrets, which are never on it
 * @param folder where it was given: names of files on it may be relative
 * @param datasetParameters as resolved: what they decide must not have changed meanwhile
 * @param objectsBefore in the repository before the ingest, of the dataset's namespaces
 * @param triplesBefore in the repository before the ingest, or null where there is no triplestore
 * @param started time of day, ISO 8601
 * @param ended how it ended, as in run.json, or null if it has not
 * @param outages when Fedora or the driver was away, oldest first, {@value #MAX_OUTAGES} at most
 * @param stack what {@code run} loads; null of {@code ingest}, whose Fedora is somebody's
 * @param pauses when nothing was sent because somebody had asked for it, oldest first
 * @param changes of workers and rate while it was loaded, oldest first; of both the first {@value
 *     #MAX_OUTAGES}
 * @param loaded when the latest driver that sent anything had come to its end; null while one is at
 *     work and after one that was killed
 * @param clock that all times of day here are by; null until a driver works by it
 */
public record JobRecord(
    int schema,
    String runId,
    String runName,
    List<String> arguments,
    String folder,
    Map<String, String> datasetParameters,
    long objectsBefore,
    Long triplesBefore,
    String started,
    long startedEpochMillis,
    String ended,
    List<PastOutage> outages,
    RecordedStack stack,
    List<PastPause> pauses,
    List<PastChange> changes,
    Loaded loaded,
    JobClock clock) {

  private static final int SCHEMA = 1;

  /** Outages and pauses of a load of months have a hundredth of this. */
  private static final int MAX_BYTES = 64 << 20;

  static final String FILE = "job.json";
  private static final int MAX_OUTAGES = 1000;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** An outage by the time of day, which other processes know, too; who is as in run.json. */
  public record PastOutage(String who, long startEpochMillis, long endEpochMillis, String reason) {
    static PastOutage of(RunDocument.Outage over, Moment now) {
      return new PastOutage(
          over.who(),
          now.epochMillisOf(over.startNanos()),
          now.epochMillisOf(over.endNanos()),
          over.reason());
    }

    private RunDocument.Outage by(Moment now) {
      return new RunDocument.Outage(
          who, now.nanosOf(startEpochMillis), now.nanosOf(endEpochMillis), reason);
    }
  }

  /** A pause by the time of day. */
  public record PastPause(long startEpochMillis, long endEpochMillis) {
    private static PastPause of(RunDocument.Pause pause, Moment now) {
      return new PastPause(
          now.epochMillisOf(pause.startNanos()), now.epochMillisOf(pause.endNanos()));
    }

    private RunDocument.Pause by(Moment now) {
      return new RunDocument.Pause(now.nanosOf(startEpochMillis), now.nanosOf(endEpochMillis));
    }
  }

  /** A change of the load by the time of day. */
  public record PastChange(long epochMillis, int workers, Double ratePerSecond) {
    private static PastChange of(RunDocument.LoadChange change, Moment now) {
      return new PastChange(
          now.epochMillisOf(change.atNanos()), change.workers(), change.ratePerSecond());
    }

    private RunDocument.LoadChange by(Moment now) {
      return new RunDocument.LoadChange(now.nanosOf(epochMillis), workers, ratePerSecond);
    }
  }

  /**
   * The end of a load by the time of day. What comes after it, such as the verification, is none of
   * the load's time.
   *
   * @param checkStartEpochMillis when it was looked then, until the drain, whether Fedora had kept
   *     what it had; null if it was not
   * @param drainStartEpochMillis when Fedora was asked to write its triples then; null if it was
   *     not
   * @param drainEndEpochMillis when it had; null if it was not asked
   */
  public record Loaded(
      long endEpochMillis,
      Long checkStartEpochMillis,
      Long drainStartEpochMillis,
      Long drainEndEpochMillis) {

    boolean drained() {
      return drainEndEpochMillis != null;
    }

    long latestEpochMillis() {
      return drained() ? drainEndEpochMillis : endEpochMillis;
    }
  }

  /**
   * The Fedora that a run has brought up for itself.
   *
   * @param home its home, whose {@code stack.json} says all that it is made of
   * @param profile as resolved when the run was begun, and as {@code run.json} has it
   * @param sentLogBytes of {@code fedora.log}, whose lines are in the run already
   * @param sentLogBeginning of the file that these are of, which Fedora may have renamed since;
   *     null if there is none
   * @param sentPausesUntilEpochNanos collections that began until then are in the run already
   */
  public record RecordedStack(
      String home,
      RunDocument.Profile profile,
      long sentLogBytes,
      String sentLogBeginning,
      long sentPausesUntilEpochNanos) {

    public RecordedStack {
      Objects.requireNonNull(home, "home");
      Objects.requireNonNull(profile, "profile");
      try {
        Path.of(home);
      } catch (InvalidPathException e) {
        throw new IllegalArgumentException("home is no path: " + e.getReason(), e);
      }
    }

    /** Of a Fedora none of whose logs is in the run yet. */
    public static RecordedStack in(Path home, RunDocument.Profile profile) {
      return new RecordedStack(home.toString(), profile, 0, null, 0);
    }

    /** The same when {@code fedora.log} is in the run as far as it goes. */
    public RecordedStack withLogSent(long bytes, String beginning) {
      return new RecordedStack(home, profile, bytes, beginning, sentPausesUntilEpochNanos);
    }

    /** The same when pauses are in the run, the last of which began then. */
    public RecordedStack withPausesSent(long untilEpochNanos) {
      return new RecordedStack(home, profile, sentLogBytes, sentLogBeginning, untilEpochNanos);
    }
  }

  public JobRecord {
    Objects.requireNonNull(runId, "runId");
    Objects.requireNonNull(runName, "runName");
    arguments = List.copyOf(arguments);
    datasetParameters = Map.copyOf(datasetParameters);
    outages = outages == null ? List.of() : List.copyOf(outages);
    pauses = pauses == null ? List.of() : List.copyOf(pauses);
    changes = changes == null ? List.of() : List.copyOf(changes);
  }

  /** Where the record and the journal of a run are. */
  public static Path folderOf(Path store, String runName) {
    return store.resolve("journals").resolve(runName);
  }

  /**
   * @throws IOException in words for the user, if there is none or it cannot be read
   */
  public static JobRecord read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      throw new IOException("there is no " + file);
    }
    // Whoever opens a pipe waits for ever.
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " cannot be read: it is no ordinary file");
    }
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(file + " cannot be read: it has more than " + MAX_BYTES + " bytes");
    }
    JobRecord record;
    try {
      record = JSON.readValue(Files.readAllBytes(file), JobRecord.class);
    } catch (JacksonException e) {
      throw new IOException(file + " cannot be read: " + JsonFault.of(e), e);
    }
    if (record == null) {
      throw new IOException(file + " cannot be read: it holds nothing");
    }
    if (record.schema() > SCHEMA) {
      throw new IOException(file + " is of a newer version of Fedometer");
    }
    return record;
  }

  /** Puts it into its folder, whole or not at all; it is on disk when this returns. */
  public void write(Path folder) throws IOException {
    // A profile's changes are on the command line, and may hold somebody's secret.
    Durable.replace(
        folder.resolve(FILE),
        JSON.writeValueAsBytes(this),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /**
   * Of a job that is about to send its first object; file names on its command line are as of this
   * process's folder. The parameters are the record's.
   */
  public static JobRecord begun(
      String runId,
      String runName,
      List<String> arguments,
      Map<String, String> datasetParameters,
      long objectsBefore,
      Long triplesBefore,
      String started,
      long startedEpochMillis) {
    return new JobRecord(
        SCHEMA,
        runId,
        runName,
        arguments,
        Path.of("").toAbsolutePath().toString(),
        datasetParameters,
        objectsBefore,
        triplesBefore,
        started,
        startedEpochMillis,
        null,
        List.of(),
        null,
        List.of(),
        List.of(),
        null,
        null);
  }

  long latestEpochMillis() {
    long latest = startedEpochMillis;
    for (PastOutage outage : outages) {
      latest = Math.max(latest, outage.endEpochMillis());
    }
    for (PastPause pause : pauses) {
      latest = Math.max(latest, pause.endEpochMillis());
    }
    for (PastChange change : changes) {
      latest = Math.max(latest, change.epochMillis());
    }
    return loaded == null ? latest : Math.max(latest, loaded.latestEpochMillis());
  }

  /** Whether the folder has one, readable or not. */
  public static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(FILE));
  }

  static void delete(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(FILE));
  }

  /** The command that goes on with it. */
  public String command() {
    return (stack == null ? "ingest" : "run") + " --resume";
  }

  JobRecord resumed(List<String> withArguments) {
    return changed(
        copy -> {
          copy.arguments = withArguments;
          copy.ended = null;
          copy.loaded = null;
        });
  }

  JobRecord by(JobClock itsClock) {
    return changed(copy -> copy.clock = itsClock);
  }

  /** The same with its end, as {@code run.json} has its state. */
  public JobRecord ended(String how) {
    return changed(copy -> copy.ended = how);
  }

  /** The same with the Fedora that the run has brought up, as far as its logs are sent by now. */
  public JobRecord withStack(RecordedStack recorded) {
    return changed(copy -> copy.stack = recorded);
  }

  JobRecord withLoaded(Loaded then) {
    return changed(copy -> copy.loaded = then);
  }

  JobRecord withOutageInPlaceOf(PastOutage one, PastOutage other) {
    return changed(
        copy -> copy.outages = outages.stream().map(o -> o.equals(one) ? other : o).toList());
  }

  JobRecord withoutOutage(PastOutage one) {
    return changed(copy -> copy.outages = outages.stream().filter(o -> !o.equals(one)).toList());
  }

  /** The same where it has as many already. */
  JobRecord withOutage(PastOutage over) {
    return changed(copy -> copy.outages = first(outages, List.of(over)));
  }

  /**
   * What was done with the load in place of what is there: by earlier drivers and by this one, as
   * far as there is room for it.
   *
   * @param earlierOrNull as earlier drivers have left it
   */
  JobRecord withLoad(
      JobRecord earlierOrNull,
      List<RunDocument.Pause> ownPauses,
      List<RunDocument.LoadChange> ownChanges,
      Moment now) {
    List<PastPause> before = earlierOrNull == null ? List.of() : earlierOrNull.pauses;
    List<PastChange> changesBefore = earlierOrNull == null ? List.of() : earlierOrNull.changes;
    return changed(
        copy -> {
          copy.pauses =
              first(before, ownPauses.stream().map(one -> PastPause.of(one, now)).toList());
          copy.changes =
              first(
                  changesBefore, ownChanges.stream().map(one -> PastChange.of(one, now)).toList());
        });
  }

  /** What became of the load so far, by this process's clock. */
  LoadHistory history(Moment now) {
    return new LoadHistory(
        outages.stream().map(one -> one.by(now)).toList(),
        pauses.stream().map(one -> one.by(now)).toList(),
        changes.stream().map(one -> one.by(now)).toList());
  }

  private static <T> List<T> first(List<T> some, List<T> then) {
    List<T> all = new ArrayList<>(some);
    all.addAll(then);
    return all.subList(0, Math.min(all.size(), MAX_OUTAGES));
  }

  private JobRecord changed(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return new JobRecord(
        SCHEMA,
        runId,
        runName,
        copy.arguments,
        folder,
        datasetParameters,
        objectsBefore,
        triplesBefore,
        started,
        startedEpochMillis,
        copy.ended,
        copy.outages,
        copy.stack,
        copy.pauses,
        copy.changes,
        copy.loaded,
        copy.clock);
  }

  /** What can be changed, on the way to another record. */
  private static final class Copy {
    private List<String> arguments;
    private String ended;
    private List<PastOutage> outages;
    private RecordedStack stack;
    private List<PastPause> pauses;
    private List<PastChange> changes;
    private Loaded loaded;
    private JobClock clock;

    private Copy(JobRecord record) {
      arguments = record.arguments;
      ended = record.ended;
      outages = record.outages;
      stack = record.stack;
      pauses = record.pauses;
      changes = record.changes;
      loaded = record.loaded;
      clock = record.clock;
    }
  }

  /**
   * Refuses to go on where what is to be sent is no longer what was.
   *
   * @throws IllegalArgumentException naming the parameter
   */
  public void requireSameDataset(Map<String, String> now) {
    for (Map.Entry<String, String> before : datasetParameters.entrySet()) {
      String value = now.get(before.getKey());
      if (!before.getValue().equals(value)) {
        throw new IllegalArgumentException(
            "the dataset is not what it was: "
                + before.getKey()
                + " was "
                + before.getValue()
                + " and is "
                + value
                + "; "
                + runName
                + " can only be resumed with the same objects");
      }
    }
  }
}
