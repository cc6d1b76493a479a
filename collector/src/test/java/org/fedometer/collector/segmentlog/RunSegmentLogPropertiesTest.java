package org.fedometer.collector.segmentlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fedometer.store.RunFolder;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever happens between sources, segment log and disk: acknowledged data is stored once, other
 * data at most once.
 */
@net.jqwik.api.Tag("slow")
class RunSegmentLogPropertiesTest {
  private static final int SOURCES = 3;

  @TempDir Path directory;

  @Property(tries = 60)
  void everyAcknowledgedFrameSurvivesCrashesOnce(@ForAll long seed) throws Exception {
    Path home = Files.createTempDirectory("fedometer-segment-log");
    try {
      new Life(new RunFolder(home.resolve("run")), new Random(seed)).live();
    } finally {
      deleteTree(home);
    }
  }

  /** A run with several sources that come and go, and a segment log that is killed now and then. */
  private static final class Life {
    private final RunFolder folder;
    private final Random random;
    private final long[] acknowledged = new long[SOURCES];

    Life(RunFolder folder, Random random) {
      this.folder = folder;
      this.random = random;
    }

    void live() throws Exception {
      for (int life = 0; life < 4; life++) {
        Path newest;
        long durableBytes;
        try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
          for (int i = 0; i < SOURCES; i++) {
            Source source = connect(run, i);
            assertThat(source.lastDurable).isGreaterThanOrEqualTo(acknowledged[i]);
          }
          for (int step = random.nextInt(40); step > 0; step--) {
            step(run);
          }
          durableBytes = run.openSegmentBytes() - run.notDurableBytes();
          newest = folder.segmentFiles().get(folder.segmentFiles().size() - 1);
          // The last append reaches the file, but power fails before the acknowledgement.
          run.commit();
        }
        cutBehind(newest, durableBytes);
      }
      checkAll();
    }

    private void step(RunSegmentLog run) throws Exception {
      int number = random.nextInt(SOURCES);
      Source source = connect(run, number);
      switch (random.nextInt(8)) {
        case 0 -> {
          run.commit();
          for (Source touched : run.takeTouched()) {
            acknowledged[numberOf(touched)] = touched.lastDurable;
          }
        }
        case 1 -> {
          long repeated = 1 + random.nextInt(5);
          if (repeated <= source.lastAppended) {
            run.append(source, frameOf(number, repeated));
          }
        }
        case 2 ->
            assertThatThrownBy(() -> run.append(source, frameOf(number, source.lastAppended + 2)))
                .isInstanceOf(MalformedFrameException.class);
        case 3 -> {
          if (random.nextInt(4) == 0) {
            run.rotate();
          }
        }
        default -> {
          for (int burst = random.nextInt(4); burst >= 0; burst--) {
            run.append(source, frameOf(number, source.lastAppended + 1));
          }
        }
      }
    }

    private void cutBehind(Path segment, long durableBytes) throws IOException {
      byte[] bytes = Files.readAllBytes(segment);
      int left = (int) durableBytes + random.nextInt(bytes.length - (int) durableBytes + 1);
      Files.write(segment, Arrays.copyOf(bytes, left));
    }

    private void checkAll() throws IOException {
      StoredFrames stored = StoredFrames.of(folder);
      for (int i = 0; i < SOURCES; i++) {
        List<Long> sequences = stored.sequences(uuid(i));
        assertThat(sequences).isEqualTo(upTo(sequences.size()));
        assertThat((long) sequences.size()).isGreaterThanOrEqualTo(acknowledged[i]);
        assertThat(stored.missing(uuid(i))).isZero();
      }
    }
  }

  @Test
  void truncatedSegmentKeepsCompleteRecordsAndAcceptsTheRestAgain() throws Exception {
    RunFolder folder = new RunFolder(directory.resolve("run"));
    long begin;
    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      begin = run.openSegmentBytes();
      for (int i = 0; i < 2; i++) {
        sendAll(run, i, 1, 5);
      }
      run.commit();
    }
    Path segment = folder.segmentFiles().get(0);
    byte[] whole = Files.readAllBytes(segment);

    for (int left = (int) begin; left <= whole.length; left++) {
      Files.write(segment, Arrays.copyOf(whole, left));
      StoredFrames before = StoredFrames.of(folder);
      try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
        for (int i = 0; i < 2; i++) {
          assertThat(connect(run, i).lastDurable).isEqualTo(before.sequences(uuid(i)).size());
          sendAll(run, i, connect(run, i).lastDurable + 1, 5);
        }
        run.commit();
      }
      StoredFrames after = StoredFrames.of(folder);
      for (int i = 0; i < 2; i++) {
        assertThat(after.sequences(uuid(i))).as("cut at %d", left).isEqualTo(upTo(5));
        assertThat(after.missing(uuid(i))).isZero();
      }
    }
  }

  @Property(tries = 100)
  void aFlippedBitCostsOnlyWhatItHits(
      @ForAll long seed, @ForAll boolean sourceStillHasIt, @ForAll @IntRange(max = 7) int bit)
      throws Exception {
    Path home = Files.createTempDirectory("fedometer-segment-log");
    try {
      RunFolder folder = new RunFolder(home.resolve("run"));
      int rows = 12;
      try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
        for (int row = 1; row <= rows; row++) {
          for (int i = 0; i < SOURCES; i++) {
            run.append(connect(run, i), frameOf(i, row));
          }
        }
        run.commit();
      }
      Path segment = folder.segmentFiles().get(0);
      byte[] bytes = Files.readAllBytes(segment);
      Random random = new Random(seed);
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << bit);
      Files.write(segment, bytes);

      try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
        for (int i = 0; i < SOURCES; i++) {
          Source source = connect(run, i);
          source.firstAvailable = sourceStillHasIt ? 1 : rows + 1;
          long next = sourceStillHasIt ? source.lastDurable + 1 : rows + 1;
          for (long sequence = next; sequence <= rows + 1; sequence++) {
            run.append(source, frameOf(i, sequence));
          }
        }
        run.commit();
      }
      checkOnceAndCounted(folder, rows + 1, sourceStillHasIt);
      try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
        for (int i = 0; i < SOURCES; i++) {
          assertThat(connect(run, i).lastDurable).isEqualTo(rows + 1);
        }
        run.rotate();
      }
      checkOnceAndCounted(folder, rows + 1, sourceStillHasIt);
    } finally {
      deleteTree(home);
    }
  }

  private static void checkOnceAndCounted(RunFolder folder, int last, boolean all)
      throws IOException {
    StoredFrames stored = StoredFrames.of(folder);
    long lost = 0;
    for (int i = 0; i < SOURCES; i++) {
      List<Long> sequences = stored.sequences(uuid(i));
      assertThat(sequences).doesNotHaveDuplicates();
      if (all) {
        assertThat(new TreeSet<>(sequences)).containsExactlyElementsOf(upTo(last));
      }
      assertThat(last - sequences.size()).isEqualTo((int) stored.missing(uuid(i)));
      // A source that loses its introduction loses all; otherwise one bit costs one frame.
      lost += sequences.size() == 1 ? 0 : last - sequences.size();
    }
    assertThat(lost).isLessThanOrEqualTo(1);
  }

  @Test
  void damageInASegmentThatWasCompleteIsCountedAtOnceAndTheDamagedFileIsKept() throws Exception {
    RunFolder folder = new RunFolder(directory.resolve("run"));
    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      sendAll(run, 0, 1, 10);
      run.rotate();
      sendAll(run, 0, 11, 12);
      run.commit();
    }
    Path complete = folder.segmentFiles().get(0);
    byte[] bytes = Files.readAllBytes(complete);
    int end = bytes.length;
    bytes[end - 20] ^= 1;
    Files.write(complete, bytes);

    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      assertThat(connect(run, 0).lastDurable).isEqualTo(12);
      run.commit();
    }
    StoredFrames stored = StoredFrames.of(folder);
    assertThat(stored.sequences(uuid(0)))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 11L, 12L);
    assertThat(stored.missing(uuid(0))).isEqualTo(1);
    assertThat(complete.resolveSibling(complete.getFileName() + ".damaged"))
        .hasBinaryContent(bytes);
  }

  @Test
  void aGapThatWasFoundIsSealedWithoutFurtherFrames() throws Exception {
    RunFolder folder = new RunFolder(directory.resolve("run"));
    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      sendAll(run, 0, 1, 10);
      run.rotate();
    }
    Path complete = folder.segmentFiles().get(0);
    byte[] bytes = Files.readAllBytes(complete);
    bytes[bytes.length - 20] ^= 1;
    Files.write(complete, bytes);

    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      assertThat(run.hasUnsealedFrames()).isTrue();
      run.commit();
    }
    Files.delete(complete);
    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      assertThat(run.hasUnsealedFrames()).as("after a crash, too").isTrue();
      run.rotate();
      assertThat(run.hasUnsealedFrames()).isFalse();
    }
  }

  @Test
  void namesOfASourceThatHasEndedAreCarriedOnlyWhenItComesBack() throws Exception {
    RunFolder folder = new RunFolder(directory.resolve("run"));
    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      sendAll(run, 0, 1, 1);
      sendAll(run, 1, 1, 1);
      Totals last = new Totals(List.of(), 0, 0, 0, 0, 0, true);
      run.append(connect(run, 1), new Frame(FrameType.TOTALS.code(), 2, last.encode()));
      run.rotate();
      Path newest = folder.segmentFiles().get(1);
      assertThat(StoredFrames.in(newest).carriedOver(uuid(0))).isEqualTo(1);
      assertThat(StoredFrames.in(newest).carriedOver(uuid(1))).isZero();

      connect(run, 1);
      run.commit();
      assertThat(StoredFrames.in(newest).carriedOver(uuid(1))).isEqualTo(1);
    }
  }

  @Test
  void acceptedDocumentBlocksItsPathBeforeItIsOnDisk() throws Exception {
    RunFolder folder = new RunFolder(directory.resolve("run"));
    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      Source source = connect(run, 0);
      run.append(source, document(1, "a/b/c"));
      run.append(source, document(2, "a/b/d"));
      assertThat(source.notStored).isEmpty();
      run.append(source, document(3, "a/b"));
      assertThat(source.notStored).contains("a/b is not stored");
      run.append(source, document(4, "a/b/c/d/e"));
      assertThat(source.notStored).contains("a/b/c/d/e is not stored");
      run.commit();
    }
    assertThat(folder.path().resolve("a/b/c")).hasContent("a/b/c");
    assertThat(folder.path().resolve("a/b/d")).hasContent("a/b/d");
    assertThat(StoredFrames.of(folder).sequences(uuid(0))).containsExactly(1L, 2L, 3L, 4L);
  }

  private static Frame document(long sequence, String path) {
    byte[] content = path.getBytes(StandardCharsets.UTF_8);
    return new Frame(
        FrameType.DOCUMENT.code(), sequence, new Document(path, content, false).encode());
  }

  @Test
  void finishesARepairThatACrashInterrupted() throws Exception {
    RunFolder folder = new RunFolder(directory.resolve("run"));
    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      sendAll(run, 0, 1, 5);
      run.commit();
    }
    Path segment = folder.segmentFiles().get(0);
    Files.move(segment, segment.resolveSibling(segment.getFileName() + ".repaired"));

    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      assertThat(connect(run, 0).lastDurable).isEqualTo(5);
    }
  }

  private static void sendAll(RunSegmentLog run, int source, long first, long last)
      throws Exception {
    for (long sequence = first; sequence <= last; sequence++) {
      run.append(connect(run, source), frameOf(source, sequence));
    }
  }

  /** All types that recovery looks into; the content depends on the sequence only. */
  private static Frame frameOf(int source, long sequence) {
    byte[] name = ("frame " + sequence).getBytes(StandardCharsets.UTF_8);
    FrameType type = FrameType.REQUESTS;
    byte[] payload = name;
    if (sequence % 5 == 1) {
      type = FrameType.STAGES;
      payload = new Dictionary().put((int) sequence, "stage " + sequence).encode();
    } else if (sequence % 5 == 3) {
      type = FrameType.DOCUMENT;
      payload = new Document("logs/" + source, name, true).encode();
    }
    return new Frame(type.code(), sequence, payload);
  }

  private static Source connect(RunSegmentLog run, int source) {
    return run.source(Hello.builder(uuid(source), "agent").runName("run").build(), 0);
  }

  private static UUID uuid(int source) {
    return new UUID(7, source);
  }

  private static int numberOf(Source source) {
    return (int) source.hello.source().getLeastSignificantBits();
  }

  private static List<Long> upTo(long last) {
    return new ArrayList<>(LongStream.rangeClosed(1, last).boxed().toList());
  }

  private static void deleteTree(Path tree) throws IOException {
    try (var paths = Files.walk(tree)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
