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
 * How far an experiment is: its plan held against the runs that a store has. Immutable, but for
 * what becomes of those runs.
 *
 * @param order all runs that it may come to
 * @param stored what the store has; null where it has none of its runs
 * @param runNames of all runs in the store, whatever they are of
 */
public record ExperimentState(
    ExperimentPlan plan, List<PlannedRun> order, StoredExperiment stored, Set<String> runNames) {

  /** With the runs in the order that the plan gives them. */
  public static ExperimentState of(
      ExperimentPlan plan, StoredExperiment storedOrNull, Set<String> names) {
    return new ExperimentState(plan, RunOrder.of(plan), storedOrNull, Set.copyOf(names));
  }

  /** The run that counts for a place, if there is one. */
  Optional<StoredExperiment.Run> done(PlannedRun run) {
    return of(run).stream().filter(StoredExperiment.Run::counted).findFirst();
  }

  /** The run that counts, or else the latest that was set aside. */
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

  /** Runs of the repetitions that there are in any case, and are not done. */
  List<PlannedRun> missing() {
    return order.stream()
        .filter(run -> run.repetition() <= plan.repetitions() && done(run).isEmpty())
        .toList();
  }

  /** Which attempt at a run comes next: the first whose name nobody has. */
  int nextAttempt(PlannedRun run) {
    int attempt = 1 + of(run).stream().mapToInt(each -> each.at().attempt()).max().orElse(0);
    while (runNames.contains(run.name(plan.name(), attempt))) {
      attempt++;
    }
    return attempt;
  }

  /**
   * Where a run is to stand.
   *
   * @param id ULID of the experiment
   * @param pageCache what became of it before the run
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
