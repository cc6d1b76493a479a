package org.fedometer.store.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.fedometer.store.TestStore.query;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.store.RunFolder;
import org.fedometer.store.query.Query;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Environment;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A source that makes things up without end costs neither much memory nor the names of others. */
class SegmentBudgetTest {
  private static final int PER_FRAME = 40_000;
  private static final int MADE_UP = 3 * PER_FRAME;

  /** Limit of a single source. */
  private static final int MAX_CHARS = SegmentBudget.SHARED_CHARS + SegmentBudget.CHARS_PER_SOURCE;

  private static final String LONG = "x".repeat(1024);

  @TempDir Path directory;
  private RunFolder run;

  @BeforeEach
  void nameRun() {
    run = new RunFolder(directory.resolve("run"));
  }

  @ParameterizedTest
  @EnumSource(names = {"STAGES", "THREADS", "METRICS", "TOTALS", "ENVIRONMENT"})
  void keepsNothingBeyondTheLimitOfASource(FrameType type) throws Exception {
    TestSegment segment = TestSegment.number(1).source(1_000, 0);
    flood(segment, 0, type);
    use(segment, 0, 7, 99_999, 100_000);
    segment.seal(run);

    switch (type) {
      case STAGES ->
          assertThat(column("stage", "samples"))
              .containsExactlyInAnyOrder("n7", "n99999", "stage-100000");
      case THREADS ->
          assertThat(column("thread", "samples"))
              .containsExactlyInAnyOrder("n7", "n99999", "thread-100000");
      case METRICS ->
          assertThat(column("metric", "telemetry"))
              .containsExactlyInAnyOrder("n7", "n99999", "metric-100000");
      case TOTALS ->
          assertThat(column("count(*) || ' ' || max(stage)", "totals"))
              .containsExactly("100000 stage-99999");
      default -> assertThat(column("count(*)", "environment")).containsExactly("100000");
    }
  }

  @Test
  void updatesKnownEntriesAtTheLimit() throws Exception {
    TestSegment segment = TestSegment.number(1).source(1_000, 0);
    flood(segment, 0, FrameType.STAGES);
    flood(segment, 0, FrameType.TOTALS);
    segment
        .frame(0, FrameType.STAGES, new Dictionary().put(7, "renamed").encode())
        .frame(0, FrameType.TOTALS, totals(7, 7, 55).encode())
        .seal(run);

    assertThat(column("count", "totals WHERE stage = 'renamed'")).containsExactly("55");
  }

  @Test
  void oneSourceLeavesSpaceForOthers() throws Exception {
    TestSegment segment = TestSegment.number(1);
    for (int source = 0; source < 4; source++) {
      segment.source(1_000, 0);
    }
    for (int source = 0; source < 3; source++) {
      for (FrameType type : List.of(FrameType.TOTALS, FrameType.ENVIRONMENT)) {
        flood(segment, source, type);
      }
    }
    String[] names = new String[SegmentBudget.PER_SOURCE - 1];
    for (int id = 0; id < names.length; id++) {
      names[id] = "honest" + id;
    }
    segment
        .stages(3, names)
        .frame(3, FrameType.TOTALS, totals(names.length - 1, names.length - 1, 5).encode());
    segment.seal(run);

    assertThat(column("count(*)", "totals WHERE stage LIKE 'honest%'")).containsExactly("1");
    long kept =
        Long.parseLong(column("count(*)", "totals").get(0))
            + Long.parseLong(column("count(*)", "environment").get(0));
    assertThat(kept).isEqualTo(SegmentBudget.SHARED + 3 * SegmentBudget.PER_SOURCE + 1);
  }

  @Test
  void keepsLongTextsUpToTheCharacterLimit() {
    SegmentBudget.SourceBudget budget = new SegmentBudget().newSource();
    Map<Integer, String> names = new HashMap<>();
    for (int id = 0; id < 2 * MAX_CHARS / LONG.length(); id++) {
      budget.put(names, id, LONG, String::length);
    }

    assertThat(names).hasSize(MAX_CHARS / LONG.length());
  }

  @Test
  void replacedTextUsesNoExtraSpace() {
    SegmentBudget segment = new SegmentBudget();
    SegmentBudget.SourceBudget budget = segment.newSource();
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < 2 * MAX_CHARS / LONG.length(); i++) {
      budget.put(texts, "one", i % 2 == 0 ? LONG : "short", String::length);
    }
    Map<Integer, String> others = new HashMap<>();
    for (int id = 0; id < MAX_CHARS / LONG.length() - 1; id++) {
      budget.put(others, id, LONG, String::length);
    }

    assertThat(texts).containsEntry("one", "short");
    assertThat(others).hasSize(MAX_CHARS / LONG.length() - 1);
  }

  @Test
  void dropsTheOldTextWhenTheNewOneDoesNotFit() {
    SegmentBudget.SourceBudget budget = new SegmentBudget().newSource();
    Map<Integer, String> names = new HashMap<>();
    budget.put(names, 0, "before", String::length);
    for (int id = 1; id <= MAX_CHARS / LONG.length(); id++) {
      budget.put(names, id, LONG, String::length);
    }
    budget.put(names, 0, LONG + LONG, String::length);

    assertThat(names).doesNotContainKey(0);
  }

  @Test
  void longTextsOfOneSourceLeaveSpaceForOthers() {
    SegmentBudget segment = new SegmentBudget();
    Map<Integer, String> names = new HashMap<>();
    SegmentBudget.SourceBudget budget = segment.newSource();
    for (int id = 0; id < 2 * MAX_CHARS / LONG.length(); id++) {
      budget.put(names, id, LONG, String::length);
    }
    Map<Integer, String> others = new HashMap<>();
    segment.newSource().put(others, 0, LONG, String::length);

    assertThat(others).containsEntry(0, LONG);
  }

  /** Three frames of things that are all different. */
  private static void flood(TestSegment segment, int source, FrameType type) {
    for (int from = 0; from < MADE_UP; from += PER_FRAME) {
      segment.frame(source, type, madeUp(type, from, from + PER_FRAME - 1));
    }
  }

  private static byte[] madeUp(FrameType type, int first, int last) {
    Dictionary names = new Dictionary();
    MetricDictionary metrics = new MetricDictionary();
    Environment environment = new Environment();
    for (int id = first; id <= last; id++) {
      names.put(id, "n" + id);
      metrics.put(id, "n" + id, "");
      environment.put("n" + id, "");
    }
    return switch (type) {
      case STAGES, THREADS -> names.encode();
      case METRICS -> metrics.encode();
      case TOTALS -> totals(first, last, 1).encode();
      case ENVIRONMENT -> environment.encode();
      default -> throw new IllegalArgumentException(type.name());
    };
  }

  private static Totals totals(int first, int last, long count) {
    List<Totals.StageTotal> totals = new ArrayList<>();
    for (int id = first; id <= last; id++) {
      totals.add(new Totals.StageTotal(id, count, 0, 1));
    }
    return new Totals(totals, 0, 0, 0, 0, 0, false);
  }

  private static void use(TestSegment segment, int source, int... ids) {
    SampleEncoder samples = new SampleEncoder();
    TelemetryEncoder telemetry = new TelemetryEncoder();
    for (int id : ids) {
      samples.add(id, id, 1, id, 20, 20, false);
      telemetry.add(id, id, 1);
    }
    segment.samples(source, samples).frame(source, FrameType.TELEMETRY, telemetry.finish());
  }

  private List<String> column(String expression, String from) throws Exception {
    try (Query query = run.query()) {
      return query(query, "SELECT " + expression + " FROM " + from + " ORDER BY ALL");
    }
  }
}
