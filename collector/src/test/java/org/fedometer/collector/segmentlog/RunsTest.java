package org.fedometer.collector.segmentlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.StoreIdentity;
import org.fedometer.store.Ulid;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunsTest {
  @TempDir Path directory;
  private RunStore store;
  private Runs runs;

  @BeforeEach
  void makeARunWithFramesThatAreNotSealed() throws IOException {
    store = RunStore.at(directory);
    writeSegment("sound", 1);
  }

  @AfterEach
  void close() {
    new ArrayList<>(runs.all()).forEach(runs::forget);
  }

  @Test
  void ignoresAnEmptyRunDocument() throws Exception {
    writeSegment("odd", 1);
    for (String content : List.of("null", "{\"id\": null}", "{\"id\": \"a\\nb\"}")) {
      Files.writeString(store.folderOf("odd").documentFile(), content);

      recover(DurableFrames.NONE);

      assertThat(runs.isOpen("sound")).as(content).isTrue();
      assertThat(runs.isOpen("odd")).as(content).isTrue();
      close();
    }
  }

  @Test
  void aRunWithAFileInPlaceOfItsSegmentsHoldsUpNoOther() throws Exception {
    Path odd = Files.createDirectories(store.folderOf("odd").path());
    Files.createFile(odd.resolve("segments"));

    recover(DurableFrames.NONE);

    assertThat(runs.isOpen("sound")).isTrue();
    assertThat(runs.isOpen("odd")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"segments", "tables", "tables/samples"})
  void aRunWithALinkInPlaceOfAFolderIsNotWrittenTo(String link) throws Exception {
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
    Path note = Files.writeString(elsewhere.resolve("0a1b2c3d-000001.segment.mended"), "mine");
    writeSegment("odd", 1);
    Path place = store.folderOf("odd").path().resolve(link);
    if (link.equals("segments")) {
      RunDeletion.delete(place);
    }
    Files.createDirectories(place.getParent());
    Files.createSymbolicLink(place, elsewhere);

    recover(DurableFrames.NONE);

    assertThat(runs.isOpen("sound")).isTrue();
    assertThat(runs.isOpen("odd")).isFalse();
    assertThatThrownBy(() -> runs.of(hello("odd"), LocalDate.EPOCH))
        .as("a source that comes for it")
        .isInstanceOf(RunConflictException.class)
        .hasMessage("the run's folder has a link in place of the folder " + link);
    assertThat(runs.isOpen("odd")).isFalse();
    assertThat(elsewhere).isDirectoryContaining(note::equals);
    assertThat(note).hasContent("mine");
    try (Stream<Path> all = Files.list(elsewhere)) {
      assertThat(all).containsExactly(note);
    }
  }

  @Test
  @Timeout(60)
  void pipesAndEndlessDevicesAmongSegmentsHoldUpNoOther() throws Exception {
    writeSegment("odd", 1);
    Path segments = store.folderOf("odd").segmentDirectory();
    Process made =
        new ProcessBuilder("mkfifo", segments.resolve("0a1b2c3d-000007.segment").toString())
            .start();
    assertThat(made.waitFor()).isZero();
    Files.createSymbolicLink(segments.resolve("0a1b2c3d-000008.segment"), Path.of("/dev/zero"));
    Process document =
        new ProcessBuilder("mkfifo", store.folderOf("odd").documentFile().toString()).start();
    assertThat(document.waitFor()).isZero();

    recover(DurableFrames.NONE);

    assertThat(runs.isOpen("sound")).isTrue();
    assertThat(runs.isOpen("odd")).as("what it has is sealed").isTrue();
  }

  @Test
  void failingRunDoesNotBlockOthers() throws Exception {
    writeSegment("odd", 0);

    recover(
        new DurableFrames() {
          @Override
          public void durable(RunFolder run, SegmentSource source, String segment, Frame frame) {}

          @Override
          public void closed(RunFolder run) {
            throw new IllegalStateException("not foreseen");
          }
        });

    assertThat(runs.isOpen("sound")).isTrue();
    assertThat(runs.isOpen("odd")).isFalse();
  }

  private void recover(DurableFrames listener) throws IOException {
    runs = new Runs(store, listener);
    runs.recover();
  }

  private static Hello hello(String run) {
    return Hello.builder(new UUID(1, 1), "agent").runName(run).build();
  }

  private void writeSegment(String run, int frames) throws IOException {
    String storeId = StoreIdentity.of(directory).id();
    RunFolder folder = store.folderOf(run);
    Files.createDirectories(folder.segmentDirectory());
    try (SegmentWriter writer =
        SegmentWriter.create(
            folder.segmentDirectory().resolve(storeId + "-000001.segment"),
            Ulid.next(),
            run,
            List.of(new SegmentSource(0, hello(run), 0, 0, 1)),
            List.of())) {
      SampleEncoder samples = new SampleEncoder();
      samples.add(0, 0, 1, 1, 1, 1, false);
      byte[] payload = samples.finish();
      for (int sequence = 1; sequence <= frames; sequence++) {
        writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), sequence, payload));
      }
      writer.commit();
    }
  }
}
