package org.fedometer.collector.segmentlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.fedometer.store.RunStore;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParallelCommitsTest {
  private static final String STORE_ID = "0a1b2c3d";

  @TempDir Path directory;

  @BeforeEach
  void makeStore() throws Exception {
    Files.createDirectory(RunStore.at(directory).runsDirectory());
  }

  @Test
  void aStoreThatWasMovedAwayDoesNotComeBackWithANewRun() throws Exception {
    Path away = directory.resolve("away");

    assertThatThrownBy(() -> open(away, "new")).isInstanceOf(NoSuchFileException.class);
    assertThat(away).doesNotExist();
  }

  @Test
  void runsAreWrittenOneAfterTheOtherWhereTheSystemGivesNoThreads() throws Exception {
    ParallelCommits syncing =
        new ParallelCommits(
            work -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    try (RunSegmentLog one = open("one");
        RunSegmentLog two = open("two")) {
      List<RunSegmentLog> both = List.of(one, two);
      both.forEach(run -> run.source(Hello.builder(new UUID(1, 1), "agent").build(), 0));
      assertThat(both).noneMatch(run -> run.notDurableBytes() == 0);

      assertThat(syncing.commit(both)).isEmpty();

      assertThat(both).allMatch(run -> run.notDurableBytes() == 0);
    } finally {
      syncing.close();
    }
  }

  private RunSegmentLog open(String name) throws Exception {
    return open(directory, name);
  }

  private static RunSegmentLog open(Path store, String name) throws Exception {
    return RunSegmentLog.open(RunStore.at(store).folderOf(name), STORE_ID, "", DurableFrames.NONE);
  }
}
