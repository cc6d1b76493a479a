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
 * Data for resuming a job whose process was killed, besides the journal: {@code job.json} in the
 * same folder. It is in the store of the driver's host, wherever the collector is.
 *
 * @param runId ULID of the run
 * @param arguments the command line, which never has secrets
 * @param folder its working folder: file names on it may be relative
 * @param datasetParameters as resolved: their effect must not have changed meanwhile
 * @param objectsBefore objects in the repository before the ingest, of the dataset's namespaces
 * @param triplesBefore triples in the repository before the ingest, or null without a triplestore
 * @param started time of day, ISO 8601
 * @param ended how it ended, as in run.json, or null if it has not
 * @param outages absences of Fedora or the driver, oldest first, at most {@value #MAX_OUTAGES}
 * @param stack Fedora of {@code run}; null for {@code ingest}, whose Fedora is external
 * @param pauses requested periods without sending, oldest first
 * @param changes of workers and rate during the load, oldest first; of both the first {@value
 *     #MAX_OUTAGES}
 * @param loaded end of the latest driver that sent anything; null while one runs and after one that
 *     was killed
 * @param clock clock of all times here; null until a driver uses it
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

  /** A load of months has a hundredth of this in outages and pauses. */
  private static final int MAX_BYTES = 64 << 20;

  static final String FILE = "job.json";
  private static final int MAX_OUTAGES = 1000;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** An outage by calendar times, which other processes share; {@code who} is as in run.json. */
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

  /** A pause by calendar times. */
  public record PastPause(long startEpochMillis, long endEpochMillis) {
    private static PastPause of(RunDocument.Pause pause, Moment now) {
      return new PastPause(
          now.epochMillisOf(pause.startNanos()), now.epochMillisOf(pause.endNanos()));
    }

    private RunDocument.Pause by(Moment now) {
      return new RunDocument.Pause(now.nanosOf(startEpochMillis), now.nanosOf(endEpochMillis));
    }
  }

  /** A change of the load by calendar time. */
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
   * The end of a load by calendar times. Later steps such as the verification are not part of the
   * load's time.
   *
   * @param checkStartEpochMillis start of a check, until the drain, of what Fedora had kept; null
   *     without one
   * @param drainStartEpochMillis start of the following flush; null without one
   * @param drainEndEpochMillis end of that flush; null without one
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
   * The Fedora that a run has started for itself.
   *
   * @param home its home, whose {@code stack.json} describes all parts
   * @param profile as resolved when the run was begun, and as in {@code run.json}
   * @param sentLogBytes bytes of {@code fedora.log} whose lines are in the run already
   * @param sentLogBeginning beginning of that file, which Fedora may have renamed since; null if
   *     there is none
   * @param sentPausesUntilEpochNanos start time up to which pauses are in the run already
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
        throw new IllegalArgumentException("home is not a path: " + e.getReason(), e);
      }
    }

    /** Returns the record of a Fedora without sent logs. */
    public static RecordedStack in(Path home, RunDocument.Profile profile) {
      return new RecordedStack(home.toString(), profile, 0, null, 0);
    }

    /** Returns this record with {@code fedora.log} sent up to its end. */
    public RecordedStack withLogSent(long bytes, String beginning) {
      return new RecordedStack(home, profile, bytes, beginning, sentPausesUntilEpochNanos);
    }

    /** Returns this record with pauses sent that began until then. */
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

  /** Returns the folder of a run's record and journal. */
  public static Path folderOf(Path store, String runName) {
    return store.resolve("journals").resolve(runName);
  }

  /**
   * @throws IOException with a message for the user, if the record is missing or unreadable
   */
  public static JobRecord read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      throw new IOException("there is no " + file);
    }
    // Opening a pipe would block forever.
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " cannot be read: it is not a regular file");
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
      throw new IOException(file + " cannot be read: it is empty");
    }
    if (record.schema() > SCHEMA) {
      throw new IOException(file + " is of a newer version of Fedometer");
    }
    return record;
  }

  /** Stores the record in its folder atomically; it is on disk on return. */
  public void write(Path folder) throws IOException {
    // A profile's changes are on the command line, and may contain a secret.
    Durable.replace(
        folder.resolve(FILE),
        JSON.writeValueAsBytes(this),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /**
   * Returns the record of a job before its first object; file names on its command line are
   * relative to this process's folder.
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

  /** Returns whether the folder has a record, readable or not. */
  public static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(FILE));
  }

  static void delete(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(FILE));
  }

  /** Returns the command that resumes the job. */
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

  /** Returns this record with its end, the state of {@code run.json}. */
  public JobRecord ended(String how) {
    return changed(copy -> copy.ended = how);
  }

  /** Returns this record with the run's own Fedora and the sent parts of its logs. */
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

  /** Returns this record with another outage, unless it is full. */
  JobRecord withOutage(PastOutage over) {
    return changed(copy -> copy.outages = first(outages, List.of(over)));
  }

  /**
   * Returns this record with the changes by earlier drivers and this one, up to the limit.
   *
   * @param earlierOrNull record of earlier drivers
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

  /** Returns the load's history by this process's clock. */
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

  /** The mutable fields while a changed record is made. */
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
   * Rejects a resume with other objects.
   *
   * @throws IllegalArgumentException naming the parameter
   */
  public void requireSameDataset(Map<String, String> now) {
    for (Map.Entry<String, String> before : datasetParameters.entrySet()) {
      String value = now.get(before.getKey());
      if (!before.getValue().equals(value)) {
        throw new IllegalArgumentException(
            "the dataset has changed: "
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
