package org.fedometer.experiments.series;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.plan.ExperimentPlan;
import org.fedometer.experiments.plan.PlanDocument;
import org.fedometer.experiments.plan.PlannedRun;
import org.fedometer.experiments.plan.Plans;
import org.fedometer.experiments.plan.RunOrder;
import org.fedometer.experiments.stack.ProfileRecord;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.StoredExperiment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resumability of an experiment with one made run. */
class ExperimentFitTest {
  private static final String MADE = "night.1.a";

  private final ExperimentPlan plan = Plans.threeCopies("repetitions: 2", "order: as-written");
  private final Map<String, String> settings =
      new HashMap<>(ProfileRecord.of(plan.profile("a")).settings());
  private Path store;

  @BeforeEach
  void aRunThatIsMade(@TempDir Path folder) throws IOException {
    store = folder;
    Files.createDirectory(folder.resolve(MADE));
    carry(plan);
  }

  @Test
  void itGoesOnWhereAllIsAsItWas() throws IOException {
    require();
  }

  @Test
  void aProfileThatWasChangedMeanwhileIsNamedWithWhatIsAnother() {
    String now = settings.put("jvm.version", "6");

    assertThatThrownBy(this::require)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the profile a has changed since night.1.a was run: jvm.version was 6 and is "
                + now
                + "; give this experiment another name with --name");
  }

  @Test
  void aFileThatWasChangedMeanwhileIsNamedWithWhatIsAnother() throws IOException {
    carry(Plans.threeCopies("repetitions: 2", "order: as-written", "workers: 7"));

    assertThatThrownBy(this::require)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the file has changed since night.1.a was run: workers was 7")
        .hasMessageContaining("can only be resumed unchanged");
  }

  private void require() throws IOException {
    PlannedRun first = RunOrder.of(plan).get(0);
    RunDocument document =
        RunDocument.builder(MADE, "done")
            .id("01")
            .workers(1)
            .profile(new RunDocument.Profile("a", Map.of(), settings))
            .experiment(ExperimentState.of(plan, null, Set.of()).place("01X", first, 1, "cold"))
            .build();
    StoredExperiment.Run made =
        new StoredExperiment.Run(new RunFolder(store.resolve(MADE)), document, true);
    StoredExperiment stored =
        new StoredExperiment("night", "01X", "a", plan.labels(), List.of(made));
    ExperimentFit.require(
        ExperimentState.of(plan, stored, Set.of(MADE)), goingOn(), RunStore.at(store));
  }

  private ExperimentOptions goingOn() {
    return new ExperimentOptions(
        new CollectorTarget(store, null, CollectorAccess.PLAIN, List.of()),
        Path.of("agent.jar"),
        Duration.ZERO,
        true,
        false);
  }

  /** With the document of a plan. */
  private void carry(ExperimentPlan its) throws IOException {
    Files.write(
        store.resolve(MADE).resolve(StoredExperiment.PLAN), PlanDocument.of(its, "01X").bytes());
  }
}
