package org.fedometer.experiments.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.host.PageCachePreparation;
import org.fedometer.experiments.job.RecordingListener;
import org.fedometer.experiments.plan.ExperimentPlan;
import org.fedometer.experiments.plan.PageCache;
import org.fedometer.experiments.plan.Plans;
import org.fedometer.experiments.plan.RunOrder;
import org.fedometer.experiments.series.ExperimentOptions;
import org.fedometer.experiments.series.ExperimentState;
import org.fedometer.experiments.series.KilledRuns;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.StoredExperiment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Facts about earlier runs before an experiment is resumed. */
class EarlierRunsTest {
  private static final String ID = "01M8198W44505MZ573F22Z3F6T";

  @TempDir private Path folder;
  private final RecordingListener notes = new RecordingListener();

  @Test
  void doesNotTreatARunningRunAsKilled() throws Exception {
    RunFiles files = new RunFiles(folder.resolve("runs"));
    files.write(new RunFiles.Entry(ID, "night.1.a", ProcessHandle.current().pid(), "socket"));

    assertThatThrownBy(() -> killed(files).requireNotRunning(List.of(run("running", "cold"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "night.1.a is in progress in process " + ProcessHandle.current().pid())
        .hasMessageContaining("fedometer load stop night.1.a");
    assertThatCode(() -> killed(files).requireNotRunning(List.of(run("failed", "cold"))))
        .doesNotThrowAnyException();
  }

  @Test
  void aRunWhoseProcessHasEndedWasKilled() throws Exception {
    RunFiles files = new RunFiles(folder.resolve("runs"));
    Process process = new ProcessBuilder("true").start();
    files.write(new RunFiles.Entry(ID, "night.1.a", process.pid(), "socket"));
    process.waitFor();

    assertThatCode(() -> killed(files).requireNotRunning(List.of(run("running", "cold"))))
        .doesNotThrowAnyException();
  }

  @Test
  void reportsAChangedPageCacheOnce() throws Exception {
    PageCachePreparation pageCache = new PageCachePreparation(PageCache.WARM, notes);
    pageCache.prepare();

    pageCache.compareWith(List.of(run("done", null), run("done", "warm")));
    assertThat(notes.notes()).isEmpty();
    pageCache.compareWith(List.of(run("done", "cold")));
    pageCache.compareWith(List.of(run("done", "cold")));
    assertThat(notes.notes())
        .singleElement()
        .asString()
        .startsWith("Earlier runs had page-cache: cold, later runs have warm");
  }

  private KilledRuns killed(RunFiles files) {
    return new KilledRuns(
        new ExperimentOptions(
            new CollectorTarget(folder, null, CollectorAccess.PLAIN, List.of()),
            folder.resolve("agent.jar"),
            Duration.ZERO,
            true,
            true),
        files,
        notes);
  }

  private static StoredExperiment.Run run(String state, String pageCache) {
    ExperimentPlan plan = Plans.threeCopies();
    RunDocument document =
        RunDocument.builder("night.1.a", state)
            .id(ID)
            .experiment(
                ExperimentState.of(plan, null, Set.of())
                    .place("01X", RunOrder.of(plan).get(0), 1, pageCache))
            .build();
    return new StoredExperiment.Run(
        new RunFolder(Path.of("runs/night.1.a")), document, state.startsWith("done"));
  }
}
