package org.fedometer.collector.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A course has few buckets however long it is, and loses nothing but resolution. */
class TimelineTest {
  private static final long BEGIN = 1_790_000_000L;

  record OneRequest(long atSeconds, long nanos, boolean failed, boolean ingest) {}

  @Property(tries = 200)
  void mergingBucketsKeepsSumsAndExtremes(@ForAll("requests") List<OneRequest> requests) {
    Timeline timeline = new Timeline();
    for (OneRequest one : requests) {
      add(timeline, one);
    }
    assertHoldsAll(timeline, requests);
    for (OneRequest one : requests) {
      int bucket = (int) ((one.atSeconds() - timeline.from()) / timeline.bucketSeconds());
      assertThat(bucket).isBetween(0, timeline.size() - 1);
      if (one.ingest()) {
        assertThat(timeline.maxLatencyNanos.at(bucket)).isGreaterThanOrEqualTo(one.nanos());
        assertThat(timeline.latencies.countAt(bucket)).isPositive();
      }
    }
  }

  @Property(tries = 200)
  void whatCameEarlierIsAddedWhateverItsResolution(
      @ForAll("requests") List<OneRequest> earlier, @ForAll("requests") List<OneRequest> later) {
    Timeline first = new Timeline();
    earlier.forEach(one -> add(first, one));
    Timeline second = new Timeline();
    later.forEach(one -> add(second, one));
    int generation = second.generation();

    second.addAll(first);

    List<OneRequest> all = Stream.concat(earlier.stream(), later.stream()).toList();
    assertHoldsAll(second, all);
    assertThat(second.generation()).isGreaterThan(generation);
  }

  @Example
  void tenDaysAreNoMoreBucketsThanTwoHours() {
    Timeline timeline = new Timeline();
    Metric metric = Metric.HEAP_USED;
    int generations = 0;
    int before = timeline.generation();
    for (long second = 0; second < 10 * 24 * 3600; second += 5) {
      timeline.addRequest(Timeline.INGEST, BEGIN + second, 5_000_000, false);
      timeline.addSelfTime(0, BEGIN + second, 1_000_000);
      timeline.addReading(metric, BEGIN + second, 100 + second % 2, 1);
      assertThat(timeline.size()).isLessThanOrEqualTo(Timeline.MAX_BUCKETS);
      generations += timeline.generation() == before ? 0 : 1;
      before = timeline.generation();
    }
    assertThat(timeline.bucketSeconds()).isEqualTo(1280);
    assertThat(generations).isEqualTo(7);
    assertThat(sum(timeline.objects, timeline)).isEqualTo(10 * 24 * 3600 / 5);
    assertThat(timeline.telemetry.get(metric).at(timeline.size() / 2)).isBetween(100.0, 101.0);
  }

  @Example
  void groupsOperationsBeyondTheMaximum() {
    Timeline timeline = new Timeline();
    for (int i = 0; i < 1000; i++) {
      timeline.addRequest("hostile-" + i, BEGIN, 1, false);
    }
    assertThat(timeline.others).hasSize(Timeline.MAX_OPERATIONS);
    assertThat(timeline.others.values().stream().mapToLong(column -> column.at(0)).sum())
        .isEqualTo(1000);
  }

  @Example
  void reportsOnlyChangedBuckets() {
    Timeline timeline = new Timeline();
    timeline.addRequest(Timeline.INGEST, BEGIN, 1, false);
    timeline.addRequest(Timeline.INGEST, BEGIN + 100, 1, false);
    assertThat(timeline.takeFirstChanged()).isZero();
    assertThat(timeline.hasChanged()).isFalse();
    assertThat(timeline.takeFirstChanged()).isEqualTo(timeline.size());
    timeline.addRequest(Timeline.INGEST, BEGIN + 110, 1, false);
    assertThat(timeline.takeFirstChanged()).isEqualTo(timeline.size() - 1);
    int generation = timeline.generation();
    timeline.addRequest(Timeline.INGEST, BEGIN - 100, 1, false);
    assertThat(timeline.generation()).isGreaterThan(generation);
  }

  private static void add(Timeline timeline, OneRequest one) {
    timeline.addRequest(
        one.ingest() ? Timeline.INGEST : "purge", one.atSeconds(), one.nanos(), one.failed());
  }

  private static void assertHoldsAll(Timeline timeline, List<OneRequest> requests) {
    assertThat(timeline.size()).isBetween(1, Timeline.MAX_BUCKETS);
    List<OneRequest> ingests = requests.stream().filter(OneRequest::ingest).toList();
    assertThat(sum(timeline.objects, timeline))
        .isEqualTo(ingests.stream().filter(one -> !one.failed()).count());
    assertThat(sum(timeline.failed, timeline))
        .isEqualTo(requests.stream().filter(OneRequest::failed).count());
    assertThat(timeline.others.values().stream().mapToLong(column -> sum(column, timeline)).sum())
        .isEqualTo(requests.stream().filter(one -> !one.ingest() && !one.failed()).count());
    assertThat(
            IntStream.range(0, timeline.size())
                .mapToLong(bucket -> timeline.latencies.countAt(bucket))
                .sum())
        .isEqualTo(ingests.size());
    assertThat(
            LongStream.range(0, timeline.size())
                .map(b -> timeline.maxLatencyNanos.at((int) b))
                .max())
        .hasValue(ingests.stream().mapToLong(OneRequest::nanos).max().orElse(0));
  }

  private static long sum(Sums sums, Timeline timeline) {
    return IntStream.range(0, timeline.size()).mapToLong(sums::at).sum();
  }

  @Provide
  Arbitrary<List<OneRequest>> requests() {
    Arbitrary<Long> seconds =
        Arbitraries.oneOf(
            Arbitraries.longs().between(BEGIN, BEGIN + 600),
            Arbitraries.longs().between(BEGIN - 86_400, BEGIN + 86_400),
            Arbitraries.longs().between(BEGIN, BEGIN + 30L * 86_400));
    return Combinators.combine(
            seconds,
            Arbitraries.longs().between(0, 3_600_000_000_000L),
            Arbitraries.of(true, false, false),
            Arbitraries.of(true, true, false))
        .as(OneRequest::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(80);
  }
}
