package org.fedometer.experiments.series;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.experiments.LoadJob;
import org.fedometer.experiments.RunOptions;
import org.fedometer.experiments.RunOutcome;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.host.PageCachePreparation;
import org.fedometer.experiments.job.DurationFormat;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.load.Endurance;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.experiments.load.LoadSpec;
import org.fedometer.experiments.load.VerifyChoice;
import org.fedometer.experiments.plan.ExperimentPlan;
import org.fedometer.experiments.plan.PageCache;
import org.fedometer.experiments.plan.PlanDocument;
import org.fedometer.experiments.plan.PlannedRun;
import org.fedometer.experiments.plan.StopRule;
import org.fedometer.experiments.record.RunFiles;
import org.fedometer.experiments.stack.StackTraits;
import org.fedometer.store.RunState;
import org.fedometer.store.RunStore;
import org.fedometer.store.RunSummary;
import org.fedometer.store.StoreView;
import org.fedometer.store.StoredExperiment;
import org.fedometer.store.Ulid;

/**
 * Conducts an experiment: one {@link LoadJob} after the other, in the order of its plan. The store
 * has its progress: with {@code resume}, the missing runs are made. Call {@link #run} once, on the
 * conducting thread; {@link #interrupt} is thread-safe.
 */
public final class ExperimentJob {
  private final ExperimentPlan plan;
  private final ExperimentOptions options;
  private final JobListener listener;
  private final KilledRuns killed;
  private final PageCachePreparation pageCache;

  /** Null if the file fixes the number of repetitions. */
  private final ThroughputPrecision precision;

  /** Labels of profiles with a failed run, whose further runs would fail, too. */
  private final Set<String> leftOut = new TreeSet<>();

  /** Why no further repetition was needed, a sentence; empty if not tested. */
  private String endReason = "";

  /** True if a run of this process has reached its load. */
  private boolean begunAny;

  /** True if a run of this process has ended in any way. */
  private boolean endedAny;

  /** Latest state read from the store; null before. */
  private ExperimentState known;

  /** Null until needed: opening it lasts a second or more. */
  private Dataset dataset;

  // Guarded by this.
  private LoadJob current;
  private boolean interrupted;

  public ExperimentJob(ExperimentPlan plan, ExperimentOptions options, JobListener listener) {
    this.plan = plan;
    this.options = options;
    this.listener = listener;
    this.killed = new KilledRuns(options, RunFiles.ofUser(), listener);
    this.pageCache = new PageCachePreparation(plan.pageCache(), listener);
    this.precision =
        plan.stop() instanceof StopRule.Until until
            ? new ThroughputPrecision(until.throughput())
            : null;
  }

  /**
   * Returns the forecast, without any change.
   *
   * @throws IllegalArgumentException with a message for the user, if the store's runs or the
   *     dataset do not match the plan
   * @throws IOException if the store cannot be read
   */
  public ExperimentForecast forecast() throws IOException, InterruptedException {
    StoreView store = store();
    return forecast(store, requireFit(store));
  }

  /** Requests the end of the experiment: the current run ends as by Ctrl-C, and no other begins. */
  public synchronized void interrupt() {
    interrupted = true;
    if (current != null) {
      current.interrupt();
    }
  }

  private synchronized boolean isInterrupted() {
    return interrupted;
  }

  /**
   * Makes all missing runs.
   *
   * @throws IllegalArgumentException as {@link #forecast}
   * @throws IOException with a message for the user, if it cannot begin; failures after a run are
   *     in the outcome
   * @throws StepFailure if no collector is available for the first run
   * @throws InterruptedException if interrupted before there was a run
   */
  public ExperimentOutcome run() throws IOException, StepFailure, InterruptedException {
    try (ExperimentLock ignored = ExperimentLock.acquire(options.store(), plan.name())) {
      StoreView store = store();
      ExperimentState state = requireFit(store);
      cleanUp(state);
      ExperimentForecast forecast = forecast(store, state);
      forecast.notes().forEach(listener::note);
      listener.note(
          plan.name()
              + ": "
              + (state.missing().isEmpty()
                  ? ""
                  : NumberFormats.count(state.missing().size(), "run") + " left; ")
              + forecast.text()
              + ".");
      requireDisk(forecast);
      pageCache.require();
      String id = state.stored() == null ? Ulid.next() : state.stored().id();
      String failure = "";
      try {
        conduct(store, id, PlanDocument.of(plan, id).bytes());
      } catch (IOException | StepFailure e) {
        if (!endedAny) {
          throw e;
        }
        failure = Reason.of(e);
        readAgain(store);
      }
      return outcome(known, id, failure);
    }
  }

  /** Reads the store; on failure, keeps the latest state. */
  private void readAgain(StoreView store) {
    try {
      known = state(store);
    } catch (IOException e) {
      listener.note("The states of the runs could not be read: " + Reason.of(e));
    }
  }

  // ---- before the first run ----

  private StoreView store() throws IOException, InterruptedException {
    return options.collector().isStoreCollector()
        ? RunStore.at(options.store())
        : CollectorLink.storeOf(options.collector());
  }

  private ExperimentState state(StoreView store) throws IOException {
    return ExperimentState.of(
        plan,
        StoredExperiment.find(store, plan.name()).orElse(null),
        store.summaries().stream().map(RunSummary::name).collect(Collectors.toSet()));
  }

  private ExperimentState requireFit(StoreView store) throws IOException {
    ExperimentState state = state(store);
    ExperimentFit.require(state, options, store);
    return state;
  }

  private void cleanUp(ExperimentState state) throws IOException, InterruptedException {
    if (state.stored() != null) {
      killed.requireNotRunning(state.stored().setAside());
    }
    killed.takeDown(plan.name());
    if (state.stored() != null) {
      for (StoredExperiment.Run run : state.stored().setAside()) {
        if (KilledRuns.isRunning(run)) {
          killed.markInterrupted(run);
          listener.note(run.view().name() + " was killed: it is set aside and repeated.");
        }
      }
    }
  }

  // ---- time and disk ----

  private ExperimentForecast forecast(StoreView store, ExperimentState state)
      throws IOException, InterruptedException {
    List<String> notes = new ArrayList<>(pageCache.notes());
    notes.addAll(ForecastNotes.of(state));
    if (options.resume() && state.stored() == null) {
      notes.add(
          plan.name() + " has nothing to resume in " + store.location() + ": it starts anew.");
    }
    return estimates(store).forecast(state, options.store(), notes);
  }

  private ForecastEstimates estimates(StoreView store) throws IOException {
    if (dataset == null) {
      dataset = openDataset();
    }
    return ForecastEstimates.of(plan, dataset, store, options.collector().isStoreCollector());
  }

  private Dataset openDataset() {
    StackTraits traits = StackTraits.of(plan.profiles().get(0).profile());
    Dataset opened = Datasets.open(plan.dataset(), traits.datasetOptions());
    plan.content().requireFor(opened);
    opened.requireObjects(0, plan.objects());
    return opened;
  }

  private void requireDisk(ExperimentForecast forecast) throws IOException {
    if (options.preflight() && forecast.neededBytes() > forecast.usableBytes()) {
      throw new IOException(
          "The disk of "
              + options.store()
              + " has "
              + NumberFormats.bytes(forecast.usableBytes())
              + " free, and the experiment needs about "
              + NumberFormats.bytes(forecast.neededBytes())
              + ". Free disk space, or give another folder with --store; --no-preflight skips"
              + " this check.");
    }
  }

  // ---- the runs ----

  private void conduct(StoreView store, String id, byte[] planBytes)
      throws IOException, StepFailure, InterruptedException {
    int judged = 0;
    known = state(store);
    for (PlannedRun next : known.order()) {
      if (isInterrupted()) {
        return;
      }
      if (known.done(next).isPresent() || leftOut.contains(next.label())) {
        continue;
      }
      if (next.repetition() > plan.repetitions() && judged < next.repetition()) {
        judged = next.repetition();
        if (!leftOut.isEmpty() || isEnough(store, known)) {
          return;
        }
      }
      conduct(store, known, next, id, planBytes);
      known = state(store);
    }
    if (precision != null && leftOut.isEmpty() && !isInterrupted() && !isEnough(store, known)) {
      endReason = "The experiment ends with repetition " + plan.maxRepetitions() + ", the maximum.";
    }
  }

  private boolean isEnough(StoreView store, ExperimentState state) throws IOException {
    if (!state.missing().isEmpty()) {
      return true; // incomplete repetitions cannot be judged
    }
    ThroughputPrecision.Judgement judgement = precision.of(store, plan.name());
    listener.note(judgement.text());
    if (judgement.enough()) {
      endReason = judgement.text();
    }
    return judgement.enough();
  }

  private void conduct(
      StoreView store, ExperimentState state, PlannedRun next, String id, byte[] planBytes)
      throws IOException, StepFailure, InterruptedException {
    int attempt = state.nextAttempt(next);
    String name = next.name(plan.name(), attempt);
    listener.note(heading(store, state, next, name));
    PageCache before = pageCache.prepare();
    if (state.stored() != null) {
      pageCache.compareWith(state.stored().counted());
    }
    LoadJob job = LoadJob.ofRun(runOptions(next, name), null, listener);
    job.belongTo(state.place(id, next, attempt, before.id()), planBytes);
    if (!options.preflight()) {
      job.leaveOutPreflight();
    }
    RunOutcome outcome;
    begin(job);
    try {
      outcome = job.run();
    } catch (InterruptedException e) {
      Thread.interrupted(); // the remaining work must not be interrupted
      interrupt();
      return;
    } finally {
      end();
    }
    endedAny = true;
    outcome
        .retainedHome()
        .ifPresent(home -> listener.note("Fedora's home of " + name + " is kept: " + home));
    begunAny |=
        outcome.failure().isEmpty() || outcome.failure().get().step().compareTo(Step.START) > 0;
    if (outcome.state() == RunState.INTERRUPTED) {
      interrupt();
    } else if (outcome.state() == RunState.FAILED) {
      leftOut.add(next.label());
      listener.note(
          name
              + " is set aside: "
              + outcome.failure().map(StepFailure::getMessage).orElse("it failed")
              + " Further runs of "
              + next.label()
              + " are skipped; --resume makes them.");
    }
  }

  private synchronized void begin(LoadJob job) {
    current = job;
    if (interrupted) {
      job.interrupt();
    }
  }

  private synchronized void end() {
    current = null;
  }

  private String heading(StoreView store, ExperimentState state, PlannedRun next, String name)
      throws IOException {
    ExperimentForecast missing = estimates(store).forecast(state, options.store(), List.of());
    long done = state.order().stream().filter(run -> state.done(run).isPresent()).count();
    int min = plan.repetitions() * plan.profiles().size();
    int max = state.order().size();
    double seconds =
        next.repetition() <= plan.repetitions() ? missing.minSeconds() : missing.maxSeconds();
    return "Run "
        + (done + 1)
        + " of "
        + (done < min ? min + (max > min ? " to " + max : "") : "at most " + max)
        + ": "
        + next.label()
        + ", repetition "
        + next.repetition()
        + " ("
        + name
        + "); about "
        + DurationFormat.format((long) seconds)
        + " left.";
  }

  private RunOptions runOptions(PlannedRun next, String name) {
    LoadPlan load =
        new LoadPlan(plan.objects(), plan.workers(), plan.ratePerSecond(), null, null, null);
    return new RunOptions(
        plan.profile(next.label()),
        new LoadSpec(plan.dataset(), load, plan.content(), null, VerifyChoice.STANDARD),
        name,
        options.collector(),
        options.agentJar(),
        Map.of(),
        options.telemetryInterval(),
        0,
        false,
        Endurance.NONE);
  }

  // ---- the end ----

  private ExperimentOutcome outcome(ExperimentState state, String id, String failure) {
    List<ExperimentRow> rows = new ArrayList<>();
    for (PlannedRun run : state.order()) {
      if (run.repetition() <= plan.repetitions() || state.done(run).isPresent()) {
        rows.add(ForecastEstimates.row(plan, state, run, ExperimentRow.PLANNED, null));
      }
    }
    return new ExperimentOutcome(
        plan.name(),
        id,
        plan.baseline(),
        rows,
        state.missing().size(),
        isInterrupted(),
        begunAny || state.stored() != null && !state.stored().counted().isEmpty(),
        !failure.isEmpty() || !leftOut.isEmpty(),
        endReason(failure));
  }

  private String endReason(String failure) {
    String leftOutText =
        leftOut.isEmpty() ? "" : "Skipped after a failure: " + String.join(", ", leftOut) + ".";
    String failures = (failure + " " + leftOutText).strip();
    return failures.isEmpty() ? endReason : failures;
  }
}
