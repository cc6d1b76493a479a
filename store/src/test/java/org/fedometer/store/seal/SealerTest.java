package org.fedometer.store.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.TestStore;
import org.fedometer.store.query.Query;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealerTest {
  private static final UUID SOURCE = new UUID(1, 2);

  @TempDir Path store;
  private RunFolder run;

  @BeforeEach
  void makeRun() throws IOException {
    run = new RunFolder(store.resolve("runs/it's a run".replace(' ', '_')));
    Files.createDirectories(run.segmentDirectory());
  }

  @Test
  void sealingTwiceAfterACrashDoublesNothing() throws Exception {
    Path segment = segment(1, 0, 100);
    byte[] kept = Files.readAllBytes(segment);
    SealResult result = seal(segment);
    assertThat(segment).doesNotExist();
    assertThat(result.samples()).isEqualTo(100);

    // The crash came after the rename and before the segment was deleted.
    Files.write(segment, kept);
    Files.createDirectories(
        run.segmentDirectory().resolve("seal-0a1b2c3d-000001.segment.tmp/spill"));
    seal(segment);

    assertThat(query("SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("100|100");
    assertThat(run.tableFiles(Table.SAMPLES))
        .extracting(Path::getFileName)
        .map(Path::toString)
        .containsExactly("0a1b2c3d-000001-000001.parquet");
    assertThat(run.segmentDirectory()).isEmptyDirectory();
  }

  @Test
  void samplesAreSortedByStartAndCompressed() throws Exception {
    seal(segment(1, 5_000, 105_000));
    assertSortedAndCompressed(run.tableFiles(Table.SAMPLES).get(0));
    seal(segment(2, 5_000, 5_010));
    assertSortedAndCompressed(run.tableFiles(Table.SAMPLES).get(1));
  }

  private void assertSortedAndCompressed(Path parquet) throws Exception {
    String file = parquet.toString().replace("'", "''");
    assertThat(
            query(
                "SELECT bool_and(start_nanos >= before) FROM (SELECT start_nanos, lag(start_nanos,"
                    + " 1, 0) OVER () AS before FROM read_parquet('"
                    + file
                    + "'))"))
        .containsExactly("true");
    assertThat(query("SELECT DISTINCT compression FROM parquet_metadata('" + file + "')"))
        .containsExactly("ZSTD");
  }

  @Test
  void theNewestTotalsOfASourceCountAcrossSegments() throws Exception {
    for (int number = 1; number <= 3; number++) {
      try (SegmentWriter writer = begin(number, number * 10)) {
        for (int i = 1; i <= 5; i++) {
          long sequence = number * 10 + i;
          Totals totals =
              new Totals(
                  List.of(new Totals.StageTotal(0, sequence, 0, sequence * 9)),
                  number,
                  0,
                  0,
                  0,
                  0,
                  false);
          writer.appendFrame(0, new Frame(FrameType.TOTALS.code(), sequence, totals.encode()));
        }
        writer.commit();
      }
      seal(fileOf(number));
    }
    Path empty = fileOf(4);
    begin(4, 36).close();
    seal(empty);

    assertThat(
            query("SELECT source, stage, count, sum_duration_nanos, samples_dropped FROM totals"))
        .containsExactly(SOURCE + "|ingest|35|315|3");
    assertThat(query("SELECT sequence, samples_dropped, finished, name FROM sources"))
        .containsExactly("36|3|false|fedora");
  }

  @Test
  void numbersWithoutANameKeepTheirNumber() throws Exception {
    try (SegmentWriter writer = begin(1, 0)) {
      SampleEncoder samples = new SampleEncoder();
      samples.add(42, 17, 1, 2, 3, 3, false);
      writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), 1, samples.finish()));
      writer.commit();
    }
    seal(fileOf(1));

    assertThat(query("SELECT stage, thread FROM samples")).containsExactly("stage-42|thread-17");
  }

  @Test
  void aFrameThatCannotBeReadCostsOnlyItself() throws Exception {
    try (SegmentWriter writer = begin(1, 0)) {
      writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), 1, new byte[] {9, 9, 9}));
      writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), 2, samples(0, 10)));
      writer.commit();
    }

    SealResult result = seal(fileOf(1));

    assertThat(result.unreadableFrames()).isEqualTo(1);
    assertThat(query("SELECT count(*) FROM samples")).containsExactly("10");
    assertThat(query("SELECT frames_unreadable FROM sources")).containsExactly("1");
  }

  @Test
  void littleMemorySuffices() throws Exception {
    Path segment = segment(1, 0, 200_000);

    try (Sealer sealer = new Sealer("0a1b2c3d")) {
      sealer.seal(run, segment);
    }

    assertThat(query("SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("200000|200000");
  }

  @Test
  void aRunThatCannotBeWrittenKeepsItsSegment() throws Exception {
    Path segment = segment(1, 0, 10);
    Files.createFile(run.path().resolve("tables"));

    assertThatThrownBy(() -> seal(segment)).isInstanceOf(IOException.class);

    assertThat(segment).exists();
    Files.delete(run.path().resolve("tables"));
    seal(segment);
    assertThat(query("SELECT count(*) FROM samples")).containsExactly("10");
  }

  @Test
  void aRunWithNothingSealedHasEmptyTablesWithTheirColumns() throws Exception {
    assertThat(
            query("SELECT count(*) FROM samples WHERE duration_nanos > self_nanos AND NOT failed"))
        .containsExactly("0");
    assertThat(query("SELECT sum(duration_nanos) FROM requests")).containsExactly("null");
    assertThat(query("SELECT root_stage FROM traces")).isEmpty();
    assertThat(query("SELECT stage, frames_dropped, last FROM totals")).isEmpty();
    assertThat(query("SELECT kind, finished FROM sources")).isEmpty();
  }

  private Path fileOf(int number) {
    return run.segmentDirectory().resolve("0a1b2c3d-%06d.segment".formatted(number));
  }

  private SegmentWriter begin(int number, long lastSequence) throws IOException {
    Hello hello = Hello.builder(SOURCE, "agent").sourceName("fedora").build();
    Frame stages =
        new Frame(FrameType.STAGES.code(), 0, new Dictionary().put(0, "ingest").encode());
    return SegmentWriter.create(
        fileOf(number),
        "ID",
        run.name(),
        List.of(new SegmentSource(0, hello, lastSequence, 0, 1)),
        List.of(new SegmentWriter.Carried(0, stages)));
  }

  private Path segment(int number, long from, long to) throws IOException {
    try (SegmentWriter writer = begin(number, 0)) {
      long sequence = 1;
      for (long at = from; at < to; at += 1_000) {
        writer.appendFrame(
            0,
            new Frame(FrameType.SAMPLES.code(), sequence++, samples(at, Math.min(to, at + 1_000))));
      }
      writer.commit();
    }
    return fileOf(number);
  }

  private static byte[] samples(long from, long to) {
    SampleEncoder encoder = new SampleEncoder();
    for (long trace = to - 1; trace >= from; trace--) {
      encoder.add(0, 0, trace, trace * 1_000, 10, 10, false);
    }
    return encoder.finish();
  }

  private SealResult seal(Path segment) throws IOException {
    try (Sealer sealer = new Sealer("0a1b2c3d")) {
      return sealer.seal(run, segment);
    }
  }

  private List<String> query(String sql) throws Exception {
    try (Query query = run.query()) {
      return TestStore.query(query, sql);
    }
  }
}
