package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDeletionTest {
  @TempDir Path folder;
  private RunStore store;
  private Path runs;

  @BeforeEach
  void makeRun() throws Exception {
    store = RunStore.at(folder.resolve("store"));
    runs = Files.createDirectories(store.folderOf("night").path()).getParent();
    Files.writeString(store.folderOf("night").documentFile(), "{}");
  }

  @Test
  void whatACrashLeftOfRemovingAndOfRestoringGoes() throws Exception {
    for (String left : new String[] {".deleted-a", ".restored-b", ".restored-c"}) {
      Files.createFile(Files.createDirectories(runs.resolve(left + "/tables")).resolve("x"));
    }
    Files.createFile(runs.resolve(".restored-c.lock"));
    Files.createFile(runs.resolve(".restored-d.lock"));

    RunDeletion.finishInterrupted(store);

    assertThat(runs.toFile().list()).containsExactly("night");
  }

  @Test
  void whatWasFetchedInPartGoesAWeekAfterTheLastFileCame() throws Exception {
    FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(8)));
    for (String fetched : new String[] {".fetched-01X-old", ".fetched-01Y-new"}) {
      Path tables = Files.createDirectories(runs.resolve(fetched + "/tables"));
      Files.createFile(tables.resolve("x"));
      Files.setLastModifiedTime(tables.resolve("x"), longAgo);
      Files.setLastModifiedTime(tables.getParent(), longAgo);
    }
    Files.setLastModifiedTime(runs.resolve(".fetched-01X-old/tables"), longAgo);

    RunDeletion.finishInterrupted(store);

    assertThat(runs.toFile().list()).containsExactlyInAnyOrder("night", ".fetched-01Y-new");
  }

  @Test
  void whatIsBeingRestoredStays() throws Exception {
    Path restoring = Files.createDirectories(runs.resolve(".restored-e"));
    try (FileChannel channel =
            FileChannel.open(
                runs.resolve(".restored-e.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      RunDeletion.finishInterrupted(store);
      assertThat(lock.isValid()).isTrue();
      assertThat(restoring).exists();
    }
    RunDeletion.finishInterrupted(store);
    assertThat(runs.toFile().list()).containsExactly("night");
  }

  @Test
  void runsAreRestoredWhileLeftoversAreDeleted() throws Exception {
    for (int i = 0; i < 20; i++) {
      Files.writeString(store.folderOf("night").path().resolve("file" + i), "content");
    }
    Path zip = folder.resolve("night.zip");
    RunArchive.write(store.folderOf("night"), zip);
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Void> deleting =
        CompletableFuture.runAsync(
            () -> {
              try {
                while (!enough.get()) {
                  RunDeletion.finishInterrupted(store);
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    try {
      for (int i = 0; i < 20; i++) {
        RunDeletion.hide(store.folderOf("night"));
        RunArchive.restore(zip, store);
        assertThat(OddFiles.in(store.folderOf("night"))).hasSize(21);
      }
    } finally {
      enough.set(true);
      deleting.get(30, TimeUnit.SECONDS);
    }
    RunDeletion.finishInterrupted(store);
    assertThat(runs.toFile().list()).containsExactly("night");
  }
}
