package org.fedometer.experiments.record;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.journal.JournalInUseException;
import org.fedometer.driver.journal.JournalState;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunState;

/**
 * Files of a run's drivers in the store of their host for a resume, useless once the run is
 * deleted. Stateless.
 */
public final class UnfinishedJobs {
  /** Kinds of loads that cannot be resumed, by the fact of the workload. */
  private static final Map<String, String> NOT_RESUMABLE =
      Map.of("study", "a study", "mix", "a mix", "ramp", "a ramp", "sweep", "a sweep");

  private static final Set<String> ENDED =
      Set.of(RunState.DONE.id(), RunState.DONE_WITH_ERRORS.id());

  private UnfinishedJobs() {}

  /**
   * Returns the record for resuming a run.
   *
   * @param store of the host that it was begun on
   * @param run its name, of a part with the part's number
   * @throws CompleteRunException if it has ended well and left no record
   * @throws IllegalArgumentException with a one-sentence message, if there is no such run to resume
   * @throws IOException if its files cannot be read
   */
  public static JobRecord find(Path store, String run) throws IOException {
    RunName.require("--resume", run);
    Path folder = JobRecord.folderOf(store, run);
    if (!JobRecord.isIn(folder)) {
      throw new IllegalArgumentException(notFoundMessage(store, run));
    }
    return JobRecord.read(folder);
  }

  /**
   * Rejects the resume of a load that has ended well and whose journal has nothing left to do.
   *
   * @param run its name, of a part with the part's number
   * @param record of the run, from {@link #find}
   * @throws CompleteRunException if it is complete
   * @throws IOException if its journal cannot be read
   */
  public static void requireIncomplete(Path store, String run, JobRecord record)
      throws IOException {
    Path folder = JobRecord.folderOf(store, run);
    if (!RunState.DONE.is(record.ended()) || !Journal.isIn(folder)) {
      return;
    }
    JournalState state = Journal.read(folder);
    if (state.pending().isEmpty() && state.failed().isEmpty() && state.unconfirmed().isEmpty()) {
      throw new CompleteRunException(
          record.runName(), completeMessage(store, run, record.runName()));
    }
  }

  /** Returns a sentence about a run that has ended well. */
  static String completeMessage(Path store, String part, String run) {
    return part
        + " is complete; nothing to resume"
        + (document(store, run).isEmpty()
            ? ""
            : "; 'fedometer report " + run + StoreHint.of(store) + "' shows it");
  }

  /**
   * Rejects the deletion of a run that can be resumed by any journal.
   *
   * @throws IOException with a one-sentence message that names the resume command, or why none is
   *     known
   */
  public static void requireNotResumable(Path store, String run) throws IOException {
    for (Path folder : foldersOf(store, run)) {
      Optional<JobRecord> record;
      try {
        record = resumable(folder);
      } catch (IOException e) {
        throw new IOException(
            Reason.of(e)
                + ", so it is unknown whether its journal can resume it;"
                + " --force deletes that, too",
            e);
      }
      if (record.isPresent()) {
        throw new IOException(
            "'fedometer "
                + record.get().command()
                + " "
                + folder.getFileName()
                + StoreHint.of(store)
                + "' can resume it from the journal "
                + folder
                + ", which would be lost; --force deletes that, too");
      }
    }
  }

  /**
   * Returns the command that resumes a run whose driver was killed.
   *
   * @param run its name, of a part with the part's number
   * @return empty if there is none in this store, it is complete, or its driver is alive
   */
  public static Optional<String> resumeCommand(Path store, String run) {
    if (!RunName.isValid(run)) {
      return Optional.empty();
    }
    Path folder = JobRecord.folderOf(store, run);
    try {
      Optional<JobRecord> record = resumable(folder);
      if (record.isEmpty()) {
        return Optional.empty();
      }
      Journal.requireNotInUse(folder);
      String command = record.get().command();
      return Optional.of("fedometer " + command + " " + run + StoreHint.of(store));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the collector of a run whose driver has left its journal in this store.
   *
   * @param run its name, of a part with the part's number or without
   * @return HOST:PORT as the user gave it; empty without a readable journal or a named collector
   */
  public static Optional<String> collectorOf(Path store, String run) {
    return given(store, run).flatMap(GivenOptions::collector);
  }

  /**
   * Returns the driver's access options for {@link #collectorOf}: its token's file, and those of
   * TLS.
   *
   * @param run its name, of a part with the part's number or without
   * @return options and values in turn; empty if unknown
   */
  public static List<String> collectorAccessOf(Path store, String run) {
    return given(store, run).map(GivenOptions::collectorAccess).orElse(List.of());
  }

  private static Optional<GivenOptions> given(Path store, String run) {
    if (!RunName.isValid(run)) {
      return Optional.empty();
    }
    try {
      for (Path folder : foldersOf(store, run)) {
        if (JobRecord.isIn(folder)) {
          return Optional.of(GivenOptions.of(JobRecord.read(folder)));
        }
      }
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty(); // a damaged record is ignored
    }
    return Optional.empty();
  }

  /** Returns the record of an incomplete load whose Fedora still exists. */
  private static Optional<JobRecord> resumable(Path folder) throws IOException {
    if (!JobRecord.isIn(folder)) {
      return Optional.empty();
    }
    JobRecord record = JobRecord.read(folder);
    return Optional.of(record)
        .filter(begun -> !ENDED.contains(String.valueOf(begun.ended())))
        .filter(begun -> begun.stack() == null || Files.exists(Path.of(begun.stack().home())));
  }

  /** Ignores damaged records, which must not hide the others. */
  private static boolean isReadableAndResumable(Path folder) {
    try {
      return resumable(folder).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the sorted names of resumable runs with readable records. */
  private static List<String> resumableNames(Path store) throws IOException {
    List<String> names = new ArrayList<>();
    Path journalsFolder = JobRecord.folderOf(store, "any").getParent();
    if (Files.isDirectory(journalsFolder)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(journalsFolder)) {
        for (Path folder : folders) {
          if (isReadableAndResumable(folder)) {
            names.add(folder.getFileName().toString());
          }
        }
      }
    }
    names.sort(null);
    return names;
  }

  private static String notFoundMessage(Path store, String run) throws IOException {
    Path folder = JobRecord.folderOf(store, run);
    String missing = run + " cannot be resumed: ";
    if (Files.isDirectory(folder) && Journal.isIn(folder) && isInUse(folder)) {
      return missing
          + "its driver is running and has sent nothing yet; wait, or stop it with 'fedometer"
          + " load stop "
          + run
          + "'";
    }
    if (Files.isDirectory(folder) && Journal.isIn(folder) && !Journal.isWithoutObjects(folder)) {
      return missing
          + "its journal "
          + folder
          + " lists objects that were sent, but "
          + JobRecord.FILE
          + ", which has the options of the run, is missing beside it; restore that file, or"
          + " start a run with another name";
    }
    Optional<RunDocument> document = document(store, run);
    if (document.isEmpty()) {
      List<String> others = resumableNames(store);
      return missing
          + (others.isEmpty()
              ? "no run in " + store + " can be resumed"
              : "only " + String.join(", ", others) + " can be resumed in " + store)
          + "; give the name of one, and the --store of the driver that began it";
    }
    Map<String, String> workload = document.get().workload();
    for (Map.Entry<String, String> kind : NOT_RESUMABLE.entrySet()) {
      if (workload != null && workload.containsKey(kind.getKey())) {
        return missing + "it was " + kind.getValue() + "; start a new run";
      }
    }
    String state = document.get().state();
    if (RunState.DONE.is(state)) {
      throw new CompleteRunException(run, completeMessage(store, run, run));
    }
    if (ENDED.contains(state)) {
      return missing
          + "it has ended ("
          + state
          + "); 'fedometer report "
          + run
          + StoreHint.of(store)
          + "' shows it";
    }
    String deletedMessage =
        " was deleted, as 'runs rm' and 'runs archive' do with --force, or is in the --store of the driver"
            + " that began it";
    if (RunState.RUNNING.id().equals(state)) {
      return missing
          + "its load had not begun when it was killed, or its journal "
          + folder
          + deletedMessage
          + "; "
          + delete(store, run);
    }
    return loadHadBegun(document.get())
        ? missing + "its journal " + folder + deletedMessage
        : missing
            + "its load had not begun; start it again "
            + (document.get().profile() == null ? "with the same command; " : "with another name; ")
            + delete(store, run);
  }

  private static boolean isInUse(Path folder) throws IOException {
    try {
      Journal.requireNotInUse(folder);
      return false;
    } catch (JournalInUseException e) {
      return true;
    }
  }

  private static String delete(Path store, String run) {
    return "'fedometer runs rm " + run + StoreHint.of(store) + "' deletes the run";
  }

  /** Returns whether a run's load has begun by its document. */
  static boolean loadHadBegun(RunDocument document) {
    return document.phases() != null
        && document.phases().stream()
            .anyMatch(phase -> phase != null && Step.INGEST.id().equals(phase.name()));
  }

  private static Optional<RunDocument> document(Path store, String run) {
    Path file = store.resolve("runs").resolve(run).resolve("run.json");
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (InputStream json = Files.newInputStream(file)) {
      return Optional.of(RunDocumentJson.read(json));
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Rejects a run while its driver is running.
   *
   * @throws IOException with a message for the user
   */
  public static void requireNotInUse(Path store, String run) throws IOException {
    for (Path folder : foldersOf(store, run)) {
      if (Journal.isIn(folder)) {
        Journal.requireNotInUse(folder);
      }
    }
  }

  /**
   * Deletes the journals of a run with all of its parts, even with damaged records.
   *
   * @return what remains, a sentence each: Fedoras are deleted only explicitly
   */
  public static List<String> deleteJournals(Path store, String run) throws IOException {
    List<String> remaining = new ArrayList<>();
    for (Path folder : foldersOf(store, run)) {
      remainingFedora(folder, store, run).ifPresent(remaining::add);
      JobRecord.delete(folder);
      Journal.delete(folder);
    }
    return remaining;
  }

  /** Returns a sentence if a Fedora remains, or may. */
  private static Optional<String> remainingFedora(Path folder, Path store, String run) {
    if (!JobRecord.isIn(folder)) {
      return Optional.empty();
    }
    JobRecord.RecordedStack stack;
    try {
      stack = JobRecord.read(folder).stack();
    } catch (IOException e) {
      return Optional.of(
          "it is unknown whether a Fedora of "
              + run
              + " is left in "
              + RunHome.homesOf(store)
              + ": "
              + Reason.of(e));
    }
    return Optional.ofNullable(stack)
        .map(JobRecord.RecordedStack::home)
        .filter(home -> Files.exists(Path.of(home)))
        .map(
            home ->
                "the Fedora of "
                    + run
                    + " still exists: 'fedometer stack down --home "
                    + ShellWord.of(home)
                    + " --delete' deletes it");
  }

  private static List<Path> foldersOf(Path store, String run) throws IOException {
    Path mainFolder = JobRecord.folderOf(store, run);
    if (!Files.isDirectory(mainFolder.getParent())) {
      return List.of();
    }
    Pattern name = Pattern.compile(Pattern.quote(run) + "(\\.[0-9]+-of-[0-9]+)?");
    try (Stream<Path> folders = Files.list(mainFolder.getParent())) {
      return folders
          .filter(folder -> name.matcher(folder.getFileName().toString()).matches())
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    }
  }
}
