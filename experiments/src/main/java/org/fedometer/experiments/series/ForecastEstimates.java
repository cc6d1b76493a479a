package org.fedometer.experiments.series;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.experiments.plan.ExperimentPlan;
import org.fedometer.experiments.plan.PlannedRun;
import org.fedometer.experiments.plan.RunEstimator;
import org.fedometer.experiments.stack.ProfileRecord;
import org.fedometer.profiles.Profile;
import org.fedometer.store.DiskSpace;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.store.RunSummary;
import org.fedometer.store.RunView;
import org.fedometer.store.StoreView;
import org.fedometer.store.StoredExperiment;

/** Estimates time and disk space of an experiment's runs, by the runs of the store. Immutable. */
final class ForecastEstimates {
  /** Number of latest runs that are considered. */
  private static final int MAX_KNOWN_RUNS = 50;

  /** An installed Fedora, its database with PostgreSQL's log of up to 1 GB, its logs. */
  private static final long BYTES_OF_STACK = 1_500_000_000;

  private static final Set<String> ENDED =
      Set.of(RunState.DONE.id(), RunState.DONE_WITH_ERRORS.id());

  private final ExperimentPlan plan;
  private final Dataset dataset;
  private final RunEstimator estimator;
  private final boolean storedHere;

  private ForecastEstimates(
      ExperimentPlan plan, Dataset dataset, RunEstimator estimator, boolean storedHere) {
    this.plan = plan;
    this.dataset = dataset;
    this.estimator = estimator;
    this.storedHere = storedHere;
  }

  /**
   * @param storedHere true if runs are stored on Fedora's disk
   */
  static ForecastEstimates of(
      ExperimentPlan plan, Dataset dataset, StoreView store, boolean storedHere)
      throws IOException {
    return new ForecastEstimates(
        plan, dataset, new RunEstimator(known(dataset.name(), store)), storedHere);
  }

  private static List<RunEstimator.KnownRun> known(String dataset, StoreView store)
      throws IOException {
    Map<String, RunSummary> ofInterest = new HashMap<>();
    for (RunSummary run : store.summaries()) {
      if (ofInterest.size() < MAX_KNOWN_RUNS
          && ENDED.contains(run.state())
          && dataset.equals(run.dataset())
          && run.objects() != null
          && run.objectsPerSecond() != null
          && run.durationMillis() != null) {
        ofInterest.put(run.name(), run);
      }
    }
    List<RunEstimator.KnownRun> known = new ArrayList<>();
    for (RunView view : store.runs()) {
      RunSummary run = ofInterest.get(view.name());
      if (run != null) {
        RunDocument document = view.document();
        double loadSeconds = run.objects() / run.objectsPerSecond();
        known.add(
            new RunEstimator.KnownRun(
                run.profile(),
                load(
                    dataset,
                    document.dataset().parameters(),
                    document.workers(),
                    document.ratePerSecond(),
                    document.workload()),
                run.objects(),
                loadSeconds,
                Math.max(0, run.durationMillis() / 1e3 - loadSeconds),
                run.sizeBytes()));
      }
    }
    return known;
  }

  /**
   * Returns a key that is equal for equal loads; it excludes dataset options of the profile and
   * tags.
   */
  private static String load(
      String dataset,
      Map<String, String> parameters,
      int workers,
      Double ratePerSecond,
      Map<String, String> workload) {
    Map<String, String> ownParameters = new TreeMap<>(parameters == null ? Map.of() : parameters);
    Map<String, String> ofProfile = new HashMap<>();
    DatasetOptions.unlimited(DatasetOptions.STANDARD_NAMESPACE).addTo(ofProfile);
    ownParameters.keySet().removeAll(ofProfile.keySet());
    Map<String, String> more = new TreeMap<>(workload == null ? Map.of() : workload);
    more.remove("confirmEverySeconds");
    more.keySet().removeIf(name -> name.startsWith(LoadPlan.TAG_PREFIX));
    return dataset + " " + ownParameters + " " + workers + " " + ratePerSecond + " " + more;
  }

  private RunEstimator.Estimate estimate(Profile profile) {
    return estimator.of(
        ProfileRecord.of(profile).name(),
        load(
            dataset.name(),
            dataset.parameters(),
            plan.workers(),
            plan.ratePerSecond(),
            plan.content().facts()),
        plan.objects(),
        plan.ratePerSecond());
  }

  /**
   * @param store folder on the disk whose space is needed
   */
  ExperimentForecast forecast(ExperimentState state, Path store, List<String> notes) {
    List<ExperimentRow> rows = new ArrayList<>();
    ExperimentState unmade = new ExperimentState(plan, state.order(), null, state.runNames());
    double minSeconds = 0;
    double maxSeconds = 0;
    long storedBytes = 0;
    RunEstimator.Basis basis = null;
    for (PlannedRun run : state.order()) {
      boolean needed = run.repetition() <= plan.repetitions();
      if (state.done(run).isPresent()) {
        rows.add(row(plan, state, run, ExperimentRow.PLANNED, null));
        continue;
      }
      RunEstimator.Estimate estimate = estimate(plan.profile(run.label()));
      minSeconds += needed ? estimate.seconds() : 0;
      maxSeconds += estimate.seconds();
      storedBytes += estimate.storedBytes();
      basis = basis == null || estimate.basis().compareTo(basis) > 0 ? estimate.basis() : basis;
      rows.add(
          row(
              plan,
              unmade,
              run,
              needed ? ExperimentRow.PLANNED : ExperimentRow.IF_NEEDED,
              estimate.seconds()));
    }
    long expected =
        new PlannedLoad(dataset, plan.objects(), plan.workers(), plan.content(), false)
            .expectedBytes();
    return new ExperimentForecast(
        plan.name(),
        rows,
        minSeconds,
        maxSeconds,
        basis,
        basis == null ? 0 : BYTES_OF_STACK + expected + (storedHere ? storedBytes : 0),
        DiskSpace.existing(store).toFile().getUsableSpace(),
        notes);
  }

  /**
   * Returns the row of a run, made or planned.
   *
   * @param otherwise state if it was not made
   * @param seconds duration if it was not made, or null
   */
  static ExperimentRow row(
      ExperimentPlan plan,
      ExperimentState state,
      PlannedRun run,
      String otherwise,
      Double seconds) {
    String profile = ProfileRecord.of(plan.profile(run.label())).name();
    Optional<StoredExperiment.Run> made = state.latest(run);
    if (made.isEmpty()) {
      return new ExperimentRow(
          run, profile, run.name(plan.name(), state.nextAttempt(run)), otherwise, null, seconds);
    }
    RunDocument document = made.get().document();
    Long millis = RunSummary.durationMillis(document);
    return new ExperimentRow(
        run,
        profile,
        made.get().view().name(),
        document.state(),
        RunSummary.objectsPerSecond(document),
        millis == null ? null : (Double) (millis / 1e3));
  }
}
