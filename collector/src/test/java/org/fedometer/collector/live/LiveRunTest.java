package org.fedometer.collector.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.RunFolder;
import org.fedometer.store.rollup.LiveRollupFile;
import org.fedometer.store.seal.LiveRollupWriter;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rollups of a run in a collector whose heap is full, or that has a fault. */
@Timeout(120)
class LiveRunTest {
  @TempDir Path directory;

  @Test
  void rollupsThatFoundNoMemoryAreWrittenTheNextTime() throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx64m",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Writing.class.getName(),
                    directory.toString()))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = process.inputReader()) {
      assertThat(output.lines()).containsExactly("first: written", "no memory", "second: written");
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void bugIsNotReportedAsAFullDisk() throws Exception {
    RunFolder run = new RunFolder(directory);
    Files.createDirectories(run.segmentDirectory());
    Path segment = Files.createFile(run.segmentDirectory().resolve("0a1b2c3d-000001.segment"));
    LiveRun live = new LiveRun(run);
    Writing.addFrame(live, segment, 1, 1);

    assertThatThrownBy(() -> live.write(null)).isInstanceOf(NullPointerException.class);
    assertThat(LiveRollupFile.of(segment)).doesNotExist();

    try (LiveRollupWriter writer = new LiveRollupWriter()) {
      live.write(writer);
    }
    assertThat(LiveRollupFile.of(segment)).exists();
  }

  /** Writes what is small, then what is too large for the memory that is left, then that again. */
  static final class Writing {
    private static final int STAGES = 10;
    private static final int INTERVALS = 4_000;

    /** A tenth of the memory of the second segment's rollups as a list. */
    private static final int LEFT_BYTES = 256 * 1024;

    private static final int PIECE_BYTES = 4096;

    public static void main(String[] arguments) throws Exception {
      RunFolder run = new RunFolder(Path.of(arguments[0]));
      Files.createDirectories(run.segmentDirectory());
      Path first = Files.createFile(run.segmentDirectory().resolve("0a1b2c3d-000001.segment"));
      Path second = Files.createFile(run.segmentDirectory().resolve("0a1b2c3d-000002.segment"));
      LiveRun live = new LiveRun(run);
      try (LiveRollupWriter writer = new LiveRollupWriter()) {
        addFrame(live, first, 1, 1);
        live.write(writer);
        report("first", first);

        addFrame(live, second, STAGES, INTERVALS);
        List<byte[]> hold = allMemoryBut(LEFT_BYTES);
        try {
          live.write(writer);
        } catch (IOException | OutOfMemoryError full) {
          hold.clear();
          System.out.println("no memory");
        }
        live.write(writer);
        report("second", second);
      }
    }

    private static void addFrame(LiveRun live, Path segment, int stages, int intervals) {
      Hello hello = Hello.builder(UUID.randomUUID(), "agent").runName("live").build();
      SegmentSource source = new SegmentSource(0, hello, 0, 0, 0);
      for (int stage = 0; stage < stages; stage++) {
        SampleEncoder samples = new SampleEncoder();
        for (int i = 0; i < intervals; i++) {
          samples.add(stage, 1, i, i * 10_000_000_000L, 700, 600, false);
        }
        live.addFrame(
            source,
            segment.getFileName().toString(),
            new Frame(FrameType.SAMPLES.code(), stage + 1, samples.finish()));
      }
    }

    private static List<byte[]> allMemoryBut(int bytes) {
      List<byte[]> hold = new ArrayList<>(1 << 16);
      hold.add(new byte[bytes]);
      try {
        while (true) {
          hold.add(new byte[PIECE_BYTES]);
        }
      } catch (OutOfMemoryError full) {
        hold.set(0, null);
        return hold;
      }
    }

    private static void report(String name, Path segment) {
      boolean written = Files.exists(LiveRollupFile.of(segment));
      System.out.println(name + ": " + (written ? "written" : "not written"));
    }
  }
}
