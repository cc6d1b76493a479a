package org.fedometer.store.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.TestStore;
import org.fedometer.store.query.Query;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A segment that could not be sealed at once is sealed later, with nothing lost or doubled. */
class SealingAgainTest {
  private static final String COUNTS =
      "SELECT (SELECT count(*) FROM samples), (SELECT count(*) FROM requests),"
          + " (SELECT sum(count) FROM rollups), (SELECT count(*) FROM sources)";

  @TempDir Path directory;
  private RunFolder run;

  @BeforeEach
  void nameRun() {
    run = new RunFolder(directory.resolve("run"));
  }

  @ParameterizedTest
  @EnumSource(names = {"SAMPLES", "REQUESTS", "SOURCES", "ROLLUPS"})
  void afterAFailureAtAnyTableTheSameSealerSealsItAgain(Table table) throws Exception {
    Path segment = segment(1).write(run);
    Path other = segment(2).write(run);
    Files.createDirectories(run.path().resolve("tables"));
    Path inTheWay = Files.createFile(run.tableDirectory(table));

    try (Sealer sealer = new Sealer(TestSegment.STORE)) {
      assertThatThrownBy(() -> sealer.seal(run, segment)).isInstanceOf(IOException.class);
      assertThat(segment).exists();
      Files.delete(inTheWay);
      sealer.seal(run, other);
      sealer.seal(run, segment);
    }

    assertThat(query(COUNTS)).containsExactly("100|2|102|1");
    assertThat(run.segmentDirectory()).isEmptyDirectory();
  }

  @Test
  void tablesThatACrashLeftUnpublishedFollow() throws Exception {
    segment(1).seal(run);
    segment(1).write(run);
    Files.delete(run.tableFiles(Table.REQUESTS).get(0));
    Files.delete(run.tableFiles(Table.ROLLUPS).get(0));

    try (Sealer sealer = new Sealer(TestSegment.STORE)) {
      sealer.seal(run, segment(1).fileIn(run));
    }

    assertThat(query(COUNTS)).containsExactly("50|1|51|1");
  }

  @Test
  void aSealerCanBeClosedAtAnyTimeAndGoesOn() throws Exception {
    Path segment = segment(1).write(run);
    Sealer sealer = new Sealer(TestSegment.STORE);
    sealer.close();
    assertThatThrownBy(() -> sealer.seal(run, directory.resolve("0a1b2c3d-000009.segment")))
        .isInstanceOf(IOException.class);
    sealer.close();
    sealer.close();
    sealer.seal(run, segment);
    sealer.close();

    assertThat(query(COUNTS)).containsExactly("50|1|51|1");
  }

  @Test
  void aSegmentOfAnotherStoreIsSealedAsAPartThatGivesWayToTheWhole() throws Exception {
    Path begun = foreign(50).write(run);
    long firstBytes = Files.size(begun);
    try (Sealer here = new Sealer(TestSegment.STORE);
        Sealer there = new Sealer("ffffffff")) {
      here.seal(run, begun);
      assertThat(run.tableFiles(Table.SAMPLES).get(0).getFileName())
          .hasToString("ffffffff-000001-000001.part-" + firstBytes + ".parquet");

      here.seal(run, foreign(80).write(run));
      assertThat(query("SELECT count(*), count(DISTINCT trace) FROM samples"))
          .containsExactly("80|80");

      there.seal(run, foreign(90).write(run));
      assertThat(query("SELECT count(*), count(DISTINCT trace) FROM samples"))
          .containsExactly("90|90");

      here.seal(run, foreign(50).write(run));
      assertThat(query("SELECT count(*), count(DISTINCT trace) FROM samples"))
          .containsExactly("90|90");
      assertThat(query("SELECT count(*) FROM rollups")).containsExactly("1");
    }
  }

  private static TestSegment foreign(long samples) {
    return TestSegment.of("ffffffff", 1).source(1, 0).stages(0, "a").traces(0, 0, samples);
  }

  /** As large as the collector makes them, within as much memory as it may have. */
  @Test
  void memoryStaysBoundedHoweverMuchASegmentHolds() throws Exception {
    TestSegment segment = TestSegment.number(1).source(1, 0).stages(0, "a", "b").threads(0, "t");
    SampleEncoder samples = new SampleEncoder();
    long bytes = 0;
    long count = 0;
    while (bytes < 32 << 20) {
      for (int i = 0; i < 20_000; i++, count++) {
        samples.add((int) (count % 2), 0, count, count * 977, count * 7_919 % 100_003, 1, false);
      }
      byte[] payload = samples.finish();
      bytes += payload.length;
      segment.frame(0, FrameType.SAMPLES, payload);
    }
    Path file = segment.write(run);
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                SealingAgainTest.class.getName(),
                run.path().toString(),
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("child.log").toFile())
            .start();
    try {
      assertThat(child.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      child.destroyForcibly();
    }

    assertThat(child.exitValue()).as(Files.readString(directory.resolve("child.log"))).isZero();
    assertThat(query("SELECT count(*) FROM samples")).containsExactly(String.valueOf(count));
  }

  /** In the child: the run's folder, the segment. */
  public static void main(String[] arguments) throws IOException {
    try (Sealer sealer = new Sealer(TestSegment.STORE)) {
      sealer.seal(new RunFolder(Path.of(arguments[0])), Path.of(arguments[1]));
    }
  }

  private static TestSegment segment(int number) {
    return TestSegment.number(number)
        .source(1, 0)
        .stages(0, "a")
        .traces(0, 0, 50)
        .request(0, number);
  }

  private List<String> query(String sql) throws Exception {
    try (Query query = run.query()) {
      return TestStore.query(query, sql);
    }
  }
}
