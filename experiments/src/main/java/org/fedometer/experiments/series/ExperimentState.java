package org.fedometer.experiments.series;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.fedometer.experiments.plan.ExperimentPlan;
import org.fedometer.experiments.plan.PlannedRun;
import org.fedometer.experiments.plan.RunOrder;
import org.fedometer.store.RunDocument;
import org.fedometer.store.StoredExperiment;

/**
 * Progress of an experiment: its plan and the runs of a store. Immutable, except the stored runs.
 *
 * @param order all possible runs
 * @param stored runs in the store; null if none
 * @param runNames of all runs in the store, of any origin
 */
public record ExperimentState(
    ExperimentPlan plan, List<PlannedRun> order, StoredExperiment stored, Set<String> runNames) {

  /** Returns the state with the runs in the plan's order. */
  public static ExperimentState of(
      ExperimentPlan plan, StoredExperiment storedOrNull, Set<String> names) {
    return new ExperimentState(plan, RunOrder.of(plan), storedOrNull, Set.copyOf(names));
  }

  /** Returns the run that counts for a place, if any. */
  Optional<StoredExperiment.Run> done(PlannedRun run) {
    return of(run).stream().filter(StoredExperiment.Run::counted).findFirst();
  }

  /** Returns the run that counts, or else the latest that was set aside. */
  Optional<StoredExperiment.Run> latest(PlannedRun run) {
    return done(run).or(() -> of(run).stream().reduce((earlier, later) -> later));
  }

  private List<StoredExperiment.Run> of(PlannedRun run) {
    return stored == null
        ? List.of()
        : stored.runs().stream()
            .filter(
                each ->
                    each.at().label().equals(run.label())
                        && each.at().repetition() == run.repetition())
            .toList();
  }

  /** Returns the mandatory runs that are not done. */
  List<PlannedRun> missing() {
    return order.stream()
        .filter(run -> run.repetition() <= plan.repetitions() && done(run).isEmpty())
        .toList();
  }

  /** Returns the next attempt at a run: the first with an unused name. */
  int nextAttempt(PlannedRun run) {
    int attempt = 1 + of(run).stream().mapToInt(each -> each.at().attempt()).max().orElse(0);
    while (runNames.contains(run.name(plan.name(), attempt))) {
      attempt++;
    }
    return attempt;
  }

  /**
   * Returns a run's place in the experiment.
   *
   * @param id ULID of the experiment
   * @param pageCache preparation of the page cache before the run
   */
  public RunDocument.Experiment place(String id, PlannedRun run, int attempt, String pageCache) {
    return new RunDocument.Experiment(
        id,
        plan.name(),
        run.label(),
        plan.baseline(),
        plan.labels(),
        plan.order().id(),
        plan.seed(),
        run.repetition(),
        run.block(),
        run.place(),
        attempt,
        plan.warmObjects(),
        pageCache);
  }
}
