package org.fedometer.experiments;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.host.MemoryLimit;
import org.fedometer.experiments.job.RecordingListener;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.profiles.Profiles;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The largest heap of a profile, in a home that Fedora cannot have either. */
class UpJobTest {
  @TempDir Path folder;

  @BeforeEach
  void theHeapIsTooLarge() {
    Assumptions.assumeTrue(
        MemoryLimit.ofHost().map(MemoryLimit::bytes).orElse(Long.MAX_VALUE) <= 1L << 40,
        "no limit of memory is seen here, or it is larger than 1 TiB");
  }

  @Test
  void aHeapLargerThanTheMemoryIsRefusedWithTheWayAround() throws Exception {
    UpJob job = job();

    assertThatThrownBy(job::run)
        .isInstanceOf(StepFailure.class)
        .hasMessageContaining("the kernel would kill Fedora")
        .hasMessageEndingWith("--no-preflight skips this check.");
  }

  @Test
  void aHeapIsNotLookedAtWhereThePreflightIsLeftOut() throws Exception {
    UpJob job = job();
    job.leaveOutPreflight();

    assertThatThrownBy(job::run)
        .isInstanceOf(StepFailure.class)
        .hasMessageContaining("Fedora cannot be installed in");
  }

  private UpJob job() throws Exception {
    return new UpJob(
        new UpOptions(
            Profiles.ofUser().profile("mulgara-derby", List.of("heap.maximum=1024g")),
            true,
            folder.resolve("a home"),
            0,
            Optional.empty(),
            Map.of(),
            new CollectorTarget(folder, null, CollectorAccess.PLAIN, List.of())),
        new RecordingListener());
  }
}
