package org.fedometer.analysis.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.fedometer.analysis.timeline.TimelineRun.MILLI;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.timeline.RunTimeline.ByObjects;
import org.fedometer.analysis.timeline.RunTimeline.ByTime;
import org.fedometer.analysis.timeline.RunTimeline.Cell;
import org.fedometer.analysis.timeline.RunTimeline.Heat;
import org.fedometer.analysis.timeline.RunTimeline.Latencies;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.Test;

class RequestTimelineTest {

  @Test
  void countsIngestsByTheTimeOfTheirAnswers() throws Exception {
    try (TimelineRun run = new TimelineRun().lasting(4_000, 0)) {
      run.ingest(0, 100, 400);
      run.ingest(1, 900, 200);
      run.ingest(2, 1_000, 900);
      run.request(3, "ingest", 1_000, 1_000, 600, 500, "no space");
      run.request(4, "risearch", 1_000, 1_000, 1_700, 0, "no answer");
      run.ingest(3, 3_000, 1_000);

      ByTime time = run.timeline().time();

      assertThat(time.bucketSeconds()).isEqualTo(1);
      assertThat(time.t()).isEqualTo(Column.of(0, 1, 2, 3, 4));
      assertThat(time.objects()).isEqualTo(Column.of(1, 3, 3, 3, 4));
      // The last bucket is not covered at all.
      assertThat(time.rate()).isEqualTo(Column.of(1, 2, 0, 0, Double.NaN));
      assertThat(time.rateLow()).isNull();
      assertThat(time.failed()).isEqualTo(Column.of(0, 1, 1, 0, 0));
      assertThat(time.latency().min()).isEqualTo(empty(400, 200, 1_000));
      assertThat(time.latency().mean()).isEqualTo(empty(400, 550, 1_000));
      assertThat(time.latency().p50()).isEqualTo(empty(400, 200, 1_000));
      assertThat(time.latency().p99()).isEqualTo(empty(400, 900, 1_000));
      assertThat(time.latency().max()).isEqualTo(empty(400, 900, 1_000));
      assertThat(time.response()).isNull();
    }
  }

  /** Nothing was answered in the third and fourth second. */
  private static Column empty(double first, double second, double last) {
    return Column.of(first, second, Double.NaN, Double.NaN, last);
  }

  @Test
  void hasResponseTimesIfARequestWasLate() throws Exception {
    try (TimelineRun run = new TimelineRun().lasting(1_000, 0)) {
      run.request(0, "ingest", 0, 0, 300, 201, "");
      run.request(1, "ingest", 100, 300, 300, 201, "");

      ByTime time = run.timeline().time();

      assertThat(time.latency().max()).isEqualTo(Column.of(300));
      assertThat(time.response().p50()).isEqualTo(Column.of(300));
      assertThat(time.response().max()).isEqualTo(Column.of(500));
    }
  }

  @Test
  void hasTheSlowestAndFastestSecondOfALongBucket() throws Exception {
    try (TimelineRun run = new TimelineRun().lasting(2_000_000, 0)) {
      // Buckets of five seconds: 2, 0, 1, 1, 1 in the first, one in each after it.
      for (int second : new int[] {0, 0, 2, 3, 4}) {
        run.ingest(second, second * 1_000 + 100, 100);
      }
      for (int second = 5; second < 10; second++) {
        run.ingest(second, second * 1_000 + 100, 100);
      }
      run.ingest(100, 1_999_000, 100);

      ByTime time = run.timeline().time();

      assertThat(time.bucketSeconds()).isEqualTo(5);
      assertThat(time.rate().at(0)).isEqualTo(1);
      assertThat(time.rateLow().at(0)).isZero();
      assertThat(time.rateHigh().at(0)).isEqualTo(2);
      assertThat(time.rateLow().at(1)).isEqualTo(1);
      assertThat(time.rateHigh().at(1)).isEqualTo(1);
      assertThat(time.rateLow().at(2)).isZero();
      assertThat(time.rateHigh().at(2)).isZero();
    }
  }

  @Test
  void theSecondThatTheEndCutsOffIsNotThePoorest() throws Exception {
    try (TimelineRun run = new TimelineRun().lasting(2_995_100, 0)) {
      // Two in each second, and then one more a tenth of a second after the last of them.
      run.sql(
          "INSERT INTO requests SELECT 'd', i, 'p:' || i, '', 0, 1, %d + i * 500000000, 1, 201,"
                  .formatted(TimelineRun.ORIGIN)
              + " 0, '', 'ingest', %d + i * 500000000 FROM range(5991) t(i)"
                  .formatted(TimelineRun.ORIGIN));

      ByTime time = run.timeline().time();

      assertThat(time.bucketSeconds()).isEqualTo(5);
      assertThat(time.rateLow().at(598)).isEqualTo(2);
      // The last bucket has no whole second.
      assertThat(time.rateLow().at(599)).isNaN();
      assertThat(time.rateHigh().at(599)).isNaN();
    }
  }

  @Test
  void showsFailedRequestsSpreadOverAllOfThem() throws Exception {
    try (TimelineRun run = new TimelineRun().lasting(1_000_000, 0)) {
      run.sql(
          "INSERT INTO requests SELECT 'd', i, 'p:' || i, '', 0, 1, %d + i * 1000000000, 0, 503, 0,"
                  .formatted(TimelineRun.ORIGIN)
              + " repeat('x', 1000), 'ingest', 0 FROM range(1000) t(i)");

      RunTimeline timeline = run.timeline();

      assertThat(timeline.errors().of()).isEqualTo(1_000);
      assertThat(timeline.errors().list()).hasSize(FailedRequests.MAX_ERRORS);
      assertThat(timeline.errors().list().get(0).t()).isBetween(0.0, 5.0);
      assertThat(timeline.errors().list().get(199).t()).isBetween(990.0, 1_000.0);
      assertThat(timeline.errors().list().get(0).message()).hasSize(300);
      assertThat(timeline.time().objects().at(0)).isZero();
    }
  }

  private record Request(long endNanos, long nanos) {}

  /** A find of the property below. */
  @Test
  void bucketsAgreeWithFewRequests() throws Exception {
    bucketsAgreeWithTheirRequests(4, 1, false, 4);
  }

  @Property(tries = 12)
  void bucketsAgreeWithTheirRequests(
      @ForAll @IntRange(min = 1, max = 3_000) int count,
      @ForAll @IntRange(min = 1, max = 5_000) int seconds,
      @ForAll boolean inOrder,
      @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    List<Request> requests = new ArrayList<>();
    StringBuilder values = new StringBuilder();
    for (int i = 0; i < count; i++) {
      long nanos = (long) Math.exp(10 + 8 * random.nextDouble() + random.nextGaussian());
      long end = nanos + (long) (random.nextDouble() * seconds * 1e9);
      requests.add(new Request(end, nanos));
      values
          .append(i == 0 ? "" : ", ")
          .append(
              "('d', %d, 'p', '', 0, 1, %d, %d, 201, 0, '', 'ingest', %2$d)"
                  .formatted(i, TimelineRun.ORIGIN + end - nanos, nanos));
    }
    requests.sort(Comparator.comparingLong(Request::endNanos));
    try (TimelineRun run = new TimelineRun()) {
      run.sql("INSERT INTO requests VALUES " + values);
      try (Query query = run.query()) {
        TimelineClock clock = TimelineClock.of(query, "b", false).from(TimelineRun.ORIGIN);
        RequestExtent extent = RequestExtent.of(query, clock);
        RequestTimeline timeline =
            new RequestTimeline(query, clock, extent, inOrder ? Long.MAX_VALUE : 0);

        ByTime time = timeline.byTime();
        long bucketNanos = time.bucketSeconds() * 1_000_000_000L;
        for (int i = 0; i < time.t().size(); i++) {
          long bucket = i;
          assertSame(
              requests.stream().filter(r -> r.endNanos() / bucketNanos == bucket).toList(),
              time.latency(),
              i);
        }
        assertThat(time.t().size()).isLessThanOrEqualTo(RequestTimeline.MAX_BUCKETS);
        assertThat(time.objects().at(time.t().size() - 1)).isEqualTo(count);

        ByObjects objects = timeline.byObjects();
        for (int i = 0; i < objects.n().size(); i++) {
          int first = (int) objects.n().at(i);
          int end = i + 1 < objects.n().size() ? (int) objects.n().at(i + 1) : count;
          if (inOrder) {
            assertThat(first).isEqualTo((int) (i * objects.bucketObjects()));
          }
          assertSame(requests.subList(first, end), objects.latency(), i);
          assertThat(objects.t().at(i))
              .isCloseTo(requests.get(end - 1).endNanos() / 1e9, within(1e-6));
        }

        assertAll(requests, timeline.heat());
        Series points = timeline.points();
        assertThat(points.count() * timeline.pointObjects()).isCloseTo(count, within(1e-6));
      }
    }
  }

  private static void assertSame(List<Request> requests, Latencies actual, int bucket) {
    if (requests.isEmpty()) {
      assertThat(actual.max().at(bucket)).isNaN();
      return;
    }
    long[] nanos = requests.stream().mapToLong(Request::nanos).sorted().toArray();
    assertThat(actual.min().at(bucket)).isEqualTo(nanos[0] / (double) MILLI);
    assertThat(actual.max().at(bucket)).isEqualTo(nanos[nanos.length - 1] / (double) MILLI);
    double mean = Arrays.stream(nanos).average().orElseThrow() / MILLI;
    assertThat(actual.mean().at(bucket)).isCloseTo(mean, within(mean * 1e-9));
    assertPercentile(nanos, 50, actual.p50().at(bucket));
    assertPercentile(nanos, 95, actual.p95().at(bucket));
    assertPercentile(nanos, 99, actual.p99().at(bucket));
  }

  private static void assertPercentile(long[] sorted, int percent, double actualMillis) {
    int rank = (percent * sorted.length + 99) / 100;
    double exact = sorted[rank - 1] / (double) MILLI;
    assertThat(actualMillis).isCloseTo(exact, within(exact * 0.01));
  }

  private static void assertAll(List<Request> requests, Heat heat) {
    long bucketNanos = heat.bucketSeconds() * 1_000_000_000L;
    assertThat(heat.t().size()).isLessThanOrEqualTo(RequestTimeline.MAX_HEAT_COLUMNS);
    assertThat(heat.edgesMillis().size()).isLessThanOrEqualTo(RequestTimeline.MAX_HEAT_ROWS + 1);
    assertThat(heat.cells().stream().mapToLong(Cell::count).sum()).isEqualTo(requests.size());
    double ratio = heat.edgesMillis().at(1) / heat.edgesMillis().at(0);
    for (Cell cell : heat.cells()) {
      double low = heat.edgesMillis().at(cell.row());
      double high = heat.edgesMillis().at(cell.row() + 1);
      assertThat(high / low).isCloseTo(ratio, within(1e-9));
      long in =
          requests.stream()
              .filter(request -> request.endNanos() / bucketNanos == cell.column())
              .filter(request -> request.nanos() >= low * MILLI && request.nanos() < high * MILLI)
              .count();
      assertThat(cell.count()).isEqualTo(in);
    }
  }
}
