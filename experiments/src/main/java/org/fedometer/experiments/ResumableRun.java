package org.fedometer.experiments;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;

/**
 * A run with a Fedora of its own that ended early, and can go on: its record and its Fedora are
 * there. Immutable.
 *
 * @param record what its process has left
 * @param stack what is left of its Fedora, running or not
 */
public record ResumableRun(JobRecord record, Stack stack) {

  /** What a run was beyond plain ingests, by the fact of its workload that tells. */
  private static final Map<String, String> NOT_IN_THEIR_MIDST =
      Map.of("study", "a study", "mix", "a mix", "ramp", "a ramp", "sweep", "a sweep");

  private static final Set<String> ENDED =
      Set.of(RunState.DONE.id(), RunState.DONE_WITH_ERRORS.id());

  /**
   * @param store of the host that it was begun on
   * @param run its name
   * @throws IllegalArgumentException one sentence: there is nothing of that name to go on with
   * @throws IOException if what was left cannot be read
   */
  public static ResumableRun find(Path store, String run) throws IOException {
    RunOptions.requireName("--resume", run);
    Path folder = JobRecord.folderOf(store, run);
    if (!JobRecord.isIn(folder)) {
      throw new IllegalArgumentException(whyNotOnRecord(store, run, folder));
    }
    JobRecord record = JobRecord.read(folder);
    if (record.stack() == null) {
      throw new IllegalArgumentException(
          run
              + " loads a Fedora that is not its own: go on with it by 'fedometer "
              + record.command()
              + " "
              + run
              + "'");
    }
    Path home = Path.of(record.stack().home());
    if (RunState.DONE.id().equals(record.ended())) {
      throw new IllegalArgumentException(
          run
              + " has come to its end, and all is well: there is nothing to go on with;"
              + " 'fedometer report "
              + run
              + "' shows it"
              + (Files.exists(home)
                  ? "; its Fedora is still there: 'fedometer down --home "
                      + home
                      + " --delete' deletes it"
                  : ""));
    }
    Optional<Stack> stack = StackRegistry.ofUser().find(home).filter(Stack::isProvisioned);
    if (stack.isEmpty()) {
      throw new IllegalArgumentException(
          "the Fedora of "
              + run
              + " is gone, with all that was in it: there is none in "
              + home
              + "; begin anew, and delete "
              + folder);
    }
    return new ResumableRun(record, stack.get());
  }

  private static String whyNotOnRecord(Path store, String run, Path folder) {
    String missing = "there is nothing to go on with of " + run + ": ";
    Optional<RunDocument> document = document(store, run);
    if (document.isEmpty()) {
      return missing
          + "no "
          + folder.resolve("job.json")
          + "; give the --store of the driver that began it";
    }
    Map<String, String> workload = document.get().workload();
    for (Map.Entry<String, String> kind : NOT_IN_THEIR_MIDST.entrySet()) {
      if (workload != null && workload.containsKey(kind.getKey())) {
        return missing
            + "it was "
            + kind.getValue()
            + ", which cannot be taken up in its midst; begin anew";
      }
    }
    String state = document.get().state();
    return missing
        + (ENDED.contains(state)
            ? "it has come to its end (" + state + "); 'fedometer report " + run + "' shows it"
            : "its load had not begun; begin anew");
  }

  /** Nothing where the run is not in this store, or cannot be read. */
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
}
