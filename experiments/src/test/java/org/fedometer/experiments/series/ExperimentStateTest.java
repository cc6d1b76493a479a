package org.fedometer.experiments.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.fedometer.experiments.plan.ExperimentPlan;
import org.fedometer.experiments.plan.PlannedRun;
import org.fedometer.experiments.plan.Plans;
import org.fedometer.experiments.plan.RunOrder;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.StoredExperiment;
import org.junit.jupiter.api.Test;

/** Which runs of an experiment are missing, whatever has become of the others. */
class ExperimentStateTest {
  private final ExperimentPlan plan = Plans.threeCopies("repetitions: 2", "order: as-written");
  private final List<StoredExperiment.Run> stored = new ArrayList<>();

  @Test
  void ofAnExperimentThatHasNotBegunAllRunsAreMissing() {
    assertThat(state().missing()).isEqualTo(RunOrder.of(plan));
  }

  @Test
  void wholeRunsAreNotMadeAgain() {
    store("a", 1, 1, "done");
    store("b", 1, 1, "done-with-errors");

    assertThat(missing()).containsExactly("1c", "2a", "2b", "2c");
  }

  @Test
  void repeatsFailedRunsUnderNewNames() {
    store("a", 1, 1, "running");
    store("b", 1, 1, "interrupted");
    store("c", 1, 1, "failed");
    store("c", 1, 2, "failed");

    assertThat(missing()).containsExactly("1a", "1b", "1c", "2a", "2b", "2c");
    assertThat(state().nextAttempt(run("a", 1))).isEqualTo(2);
    assertThat(state().nextAttempt(run("c", 1))).isEqualTo(3);
    assertThat(state().nextAttempt(run("a", 2))).isEqualTo(1);
  }

  @Test
  void aRunKilledBeforeItsDocumentKeepsItsName() {
    ExperimentState state = ExperimentState.of(plan, null, Set.of("night.1.a", "night.1.a.2"));

    assertThat(state.nextAttempt(run("a", 1))).isEqualTo(3);
  }

  @Test
  void theRunThatCountsIsShownBeforeOneThatWasSetAside() {
    store("a", 1, 1, "done");
    store("b", 1, 1, "failed");
    store("b", 1, 2, "interrupted");

    assertThat(state().latest(run("a", 1)).orElseThrow().document().state()).isEqualTo("done");
    assertThat(state().latest(run("b", 1)).orElseThrow().document().state())
        .isEqualTo("interrupted");
    assertThat(state().done(run("b", 1))).isEmpty();
  }

  @Test
  void repetitionsThatAreOnlyMadeIfNeededAreNotMissing() {
    ExperimentPlan open =
        Plans.threeCopies("repetitions: 2", "stop: {until: {throughput: 5 %, max-repetitions: 9}}");

    ExperimentState state = ExperimentState.of(open, null, Set.of());

    assertThat(state.order()).hasSize(27);
    assertThat(state.missing()).hasSize(6);
  }

  @Test
  void aRunHasItsPlace() {
    RunDocument.Experiment place = state().place("01X", run("b", 2), 1, "cold");

    assertThat(place)
        .isEqualTo(
            new RunDocument.Experiment(
                "01X",
                "night",
                "b",
                "a",
                List.of("a", "b", "c"),
                "as-written",
                1,
                2,
                2,
                5,
                1,
                10L,
                "cold"));
  }

  private List<String> missing() {
    return state().missing().stream().map(run -> run.repetition() + run.label()).toList();
  }

  private ExperimentState state() {
    StoredExperiment experiment =
        stored.isEmpty() ? null : new StoredExperiment("night", "01X", "a", plan.labels(), stored);
    Set<String> names = stored.stream().map(run -> run.view().name()).collect(Collectors.toSet());
    return ExperimentState.of(plan, experiment, names);
  }

  private PlannedRun run(String label, int repetition) {
    return RunOrder.of(plan).stream()
        .filter(run -> run.label().equals(label) && run.repetition() == repetition)
        .findFirst()
        .orElseThrow();
  }

  private void store(String label, int repetition, int attempt, String state) {
    PlannedRun run = run(label, repetition);
    String name = run.name("night", attempt);
    RunDocument document =
        RunDocument.builder(name, state)
            .id("01")
            .workers(1)
            .experiment(ExperimentState.of(plan, null, Set.of()).place("01X", run, attempt, "cold"))
            .build();
    stored.add(
        new StoredExperiment.Run(
            new RunFolder(Path.of("runs", name)), document, state.startsWith("done")));
  }
}
