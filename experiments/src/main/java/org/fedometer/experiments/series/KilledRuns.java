package org.fedometer.experiments.series;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.experiments.record.RunFiles;
import org.fedometer.experiments.record.RunHome;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunState;
import org.fedometer.store.StoredExperiment;

/**
 * Remains of a killed experiment: a Fedora that may still run, and a run without a recorded end.
 * Confined to the thread that resumes it, while no other process has it.
 */
public final class KilledRuns {
  private static final String SET_ASIDE =
      "The process of the run was killed. The run is set aside and repeated, as a resumed"
          + " run would have another warm-up.";

  private final ExperimentOptions options;
  private final RunFiles files;
  private final JobListener listener;

  public KilledRuns(ExperimentOptions options, RunFiles files, JobListener listener) {
    this.options = options;
    this.files = files;
    this.listener = listener;
  }

  /**
   * Rejects runs that still continue. An experiment's lock only covers its store folder, while a
   * collector's runs may be conducted from any folder.
   *
   * @throws IOException if a process of this user on this host conducts one of the runs
   */
  public void requireNotRunning(List<StoredExperiment.Run> runs) throws IOException {
    for (RunFiles.Entry entry : files.all()) {
      for (StoredExperiment.Run run : runs) {
        if (isRunning(run) && entry.id().equals(run.document().id()) && entry.alive()) {
          throw new IOException(
              "Another process runs the experiment: "
                  + run.view().name()
                  + " is in progress in process "
                  + entry.pid()
                  + ". Wait for it, or stop it with 'fedometer load stop "
                  + run.view().name()
                  + "'.");
        }
      }
    }
  }

  /**
   * Stops and deletes the Fedoras of an experiment's runs.
   *
   * @throws IOException if one cannot be stopped, and would distort the measurements
   */
  void takeDown(String experiment) throws IOException {
    Path homes = RunHome.homesOf(options.store());
    if (!Files.isDirectory(homes)) {
      return;
    }
    Pattern homeName =
        Pattern.compile(Pattern.quote(experiment) + "\\.[0-9]+\\.[^.]+(\\.[0-9]+)?-[0-9A-Z]{26}");
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(
            homes, home -> homeName.matcher(home.getFileName().toString()).matches())) {
      for (Path home : all) {
        takeDown(home);
      }
    }
  }

  private void takeDown(Path home) throws IOException {
    String run = home.getFileName().toString().replaceFirst("-[0-9A-Z]{26}$", "");
    if (JobRecord.isIn(JobRecord.folderOf(options.store(), run))) {
      return; // of 'run --name', which has its own resume
    }
    Optional<Stack> stack = StackRegistry.ofUser().find(home);
    if (stack.isEmpty()) {
      return; // created, but without anything that could run
    }
    listener.note(
        (stack.get().isRunning() ? "Stopped and deleted" : "Deleted")
            + " the Fedora that a run of "
            + stack.get().profileName()
            + " left in "
            + home
            + ".");
    stack.get().delete();
  }

  /** Records that a run will not continue. */
  void markInterrupted(StoredExperiment.Run run) throws InterruptedException {
    RunDocument document = run.document();
    RunDocument ended =
        document.endedAs(
            RunState.INTERRUPTED.id(),
            new RunDocument.Failure(lastStep(document), SET_ASIDE, null));
    try (CollectorLink collector =
        CollectorLink.open(options.collector(), document.id(), document.name())) {
      new RunShipment(collector.client()).document("run.json", RunDocumentJson.write(ended));
      collector.closeRun(listener::note);
    } catch (IOException e) {
      listener.note(
          "The end of "
              + document.name()
              + ", which was killed, could not be recorded: "
              + Reason.of(e));
    }
  }

  private static String lastStep(RunDocument document) {
    return document.phases() == null || document.phases().isEmpty()
        ? Step.COLLECT.id()
        : document.phases().get(document.phases().size() - 1).name();
  }

  static boolean isRunning(StoredExperiment.Run run) {
    return RunState.RUNNING.id().equals(run.document().state());
  }
}
