package org.fedometer.collector.segmentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentReader;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An event source skips sequences and gets its numbers from the collector. Whatever happens to the
 * segment log, acknowledged data is stored once, with the names of its time.
 */
class EventSourcesPropertiesTest {
  private static final UUID SOURCE = new UUID(7, 1);

  @TempDir Path directory;

  @Property(tries = 60)
  void whatWasAcknowledgedSurvivesCrashesOnceAndWithItsNames(@ForAll long seed) throws Exception {
    Path home = Files.createTempDirectory("fedometer-segment-log");
    try {
      new Life(new RunFolder(home.resolve("run")), new Random(seed)).live();
    } finally {
      try (var paths = Files.walk(home)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private static final class Life {
    private final RunFolder folder;
    private final Random random;
    private final List<Long> acknowledged = new ArrayList<>();
    private final List<Long> waiting = new ArrayList<>();

    Life(RunFolder folder, Random random) {
      this.folder = folder;
      this.random = random;
    }

    void live() throws Exception {
      for (int life = 0; life < 4; life++) {
        waiting.clear();
        Path newest;
        long durableBytes;
        try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
          Source source = connect(run);
          Map<Integer, String> names = new HashMap<>();
          for (SegmentWriter.Carried carried : source.carried()) {
            names.putAll(Dictionary.decode(ByteBuffer.wrap(carried.frame().payload())).entries());
          }
          for (int step = random.nextInt(40); step > 0; step--) {
            step(run, source, names);
          }
          durableBytes = run.openSegmentBytes() - run.notDurableBytes();
          newest = folder.segmentFiles().get(folder.segmentFiles().size() - 1);
          // The last append reaches the file, but power fails before the acknowledgement.
          run.commit();
        }
        byte[] bytes = Files.readAllBytes(newest);
        int left = (int) durableBytes + random.nextInt(bytes.length - (int) durableBytes + 1);
        Files.write(newest, Arrays.copyOf(bytes, left));
      }
      Stored stored = new Stored();
      for (Path segment : folder.segmentFiles()) {
        stored.names.clear();
        SegmentReader.read(segment, stored);
      }
      assertThat(stored.missing).isZero();
      assertThat(stored.sequences).isSorted().doesNotHaveDuplicates().containsAll(acknowledged);
    }

    private void step(RunSegmentLog run, Source source, Map<Integer, String> names)
        throws Exception {
      switch (random.nextInt(8)) {
        case 0 -> {
          run.commit();
          run.takeTouched();
          acknowledged.addAll(waiting);
          waiting.clear();
        }
        case 1 -> {
          if (source.lastAppended > 0) {
            run.append(source, sample(source.lastAppended - random.nextInt(2), 0));
          }
        }
        case 2 -> {
          if (random.nextInt(4) == 0) {
            run.rotate();
          }
        }
        default -> {
          int stage = random.nextInt(names.size() + 1);
          if (!names.containsKey(stage)) {
            names.put(stage, "stage " + stage);
            byte[] dictionary = new Dictionary().put(stage, names.get(stage)).encode();
            run.appendNames(source, new Frame(FrameType.STAGES.code(), 0, dictionary));
          }
          long sequence = source.lastAppended + 1 + random.nextInt(1_000_000);
          run.append(source, sample(sequence, stage));
          waiting.add(sequence);
        }
      }
    }
  }

  @Test
  void whatADamagedPlaceHadIsNotCountedBySequences() throws Exception {
    RunFolder folder = new RunFolder(directory.resolve("run"));
    long whole;
    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      Source source = connect(run);
      run.append(source, sample(10, 0));
      run.append(source, sample(20_000, 0));
      run.commit();
      whole = run.openSegmentBytes();
      run.append(source, sample(3_000_000, 0));
      run.commit();
    }
    Path segment = folder.segmentFiles().get(0);
    byte[] bytes = Files.readAllBytes(segment);
    bytes[(int) whole - 10] ^= 1;
    Files.write(segment, bytes);
    try (RunSegmentLog run = RunSegmentLog.open(folder, "0a1b2c3d", "", DurableFrames.NONE)) {
      Source source = connect(run);
      assertThat(source.lastAppended).isEqualTo(3_000_000);
      assertThat(source.framesMissing).isZero();
    }
  }

  private static Source connect(RunSegmentLog run) {
    return run.source(
        Hello.builder(SOURCE, "agent")
            .runName("run")
            .attributes(Map.of(EventConnection.TRANSPORT, EventConnection.LOG4J2))
            .build(),
        0);
  }

  private static Frame sample(long sequence, int stage) {
    SampleEncoder samples = new SampleEncoder();
    samples.add(stage, 5, sequence, sequence, 700, 600, false);
    return new Frame(FrameType.SAMPLES.code(), sequence, samples.finish());
  }

  private static final class Stored implements SegmentVisitor {
    private final Map<Integer, String> names = new HashMap<>();
    private final List<Long> sequences = new ArrayList<>();
    private long missing;

    @Override
    public void run(String runId, String runName) {}

    @Override
    public void source(SegmentSource source) {
      missing = source.framesMissing();
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {
      try {
        ByteBuffer payload = ByteBuffer.wrap(frame.payload());
        if (frame.sequence() == 0) {
          names.putAll(Dictionary.decode(payload).entries());
          return;
        }
        sequences.add(frame.sequence());
        SampleDecoder.decode(
            payload,
            (stage, thread, trace, startNanos, durationNanos, selfNanos, failed) ->
                assertThat(names.get(stage)).isEqualTo("stage " + stage));
      } catch (MalformedFrameException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) throws IOException {
      throw new IOException("none was sent");
    }
  }
}
