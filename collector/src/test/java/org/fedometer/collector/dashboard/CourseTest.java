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
class CourseTest {
  private static final long BEGIN = 1_790_000_000L;

  record OneRequest(long atSeconds, long nanos, boolean failed, boolean ingest) {}

  @Property(tries = 200)
  void mergingBucketsKeepsSumsAndExtremes(@ForAll("requests") List<OneRequest> requests) {
    Course course = new Course();
    for (OneRequest one : requests) {
      add(course, one);
    }
    assertHoldsAll(course, requests);
    for (OneRequest one : requests) {
      int bucket = (int) ((one.atSeconds() - course.from()) / course.bucketSeconds());
      assertThat(bucket).isBetween(0, course.size() - 1);
      if (one.ingest()) {
        assertThat(course.longest.at(bucket)).isGreaterThanOrEqualTo(one.nanos());
        assertThat(course.latencies.countAt(bucket)).isPositive();
      }
    }
  }

  @Property(tries = 200)
  void whatCameEarlierIsAddedWhateverItsResolution(
      @ForAll("requests") List<OneRequest> earlier, @ForAll("requests") List<OneRequest> later) {
    Course first = new Course();
    earlier.forEach(one -> add(first, one));
    Course second = new Course();
    later.forEach(one -> add(second, one));
    int generation = second.generation();

    second.addAll(first);

    List<OneRequest> all = Stream.concat(earlier.stream(), later.stream()).toList();
    assertHoldsAll(second, all);
    assertThat(second.generation()).isGreaterThan(generation);
  }

  @Example
  void tenDaysAreNoMoreBucketsThanTwoHours() {
    Course course = new Course();
    Metric metric = Metric.HEAP_USED;
    int generations = 0;
    int before = course.generation();
    for (long second = 0; second < 10 * 24 * 3600; second += 5) {
      course.addRequest(Course.INGEST, BEGIN + second, 5_000_000, false);
      course.addOwnTime(0, BEGIN + second, 1_000_000);
      course.addReading(metric, BEGIN + second, 100 + second % 2, 1);
      assertThat(course.size()).isLessThanOrEqualTo(Course.MOST_BUCKETS);
      generations += course.generation() == before ? 0 : 1;
      before = course.generation();
    }
    assertThat(course.bucketSeconds()).isEqualTo(1280);
    assertThat(generations).isEqualTo(7);
    assertThat(sum(course.objects, course)).isEqualTo(10 * 24 * 3600 / 5);
    assertThat(course.telemetry.get(metric).at(course.size() / 2)).isBetween(100.0, 101.0);
  }

  @Example
  void operationsBeyondTheMostAreOneTogether() {
    Course course = new Course();
    for (int i = 0; i < 1000; i++) {
      course.addRequest("hostile-" + i, BEGIN, 1, false);
    }
    assertThat(course.others).hasSize(Course.MOST_OPERATIONS);
    assertThat(course.others.values().stream().mapToLong(column -> column.at(0)).sum())
        .isEqualTo(1000);
  }

  @Example
  void onlyWhatHasChangedIsSaidToHave() {
    Course course = new Course();
    course.addRequest(Course.INGEST, BEGIN, 1, false);
    course.addRequest(Course.INGEST, BEGIN + 100, 1, false);
    assertThat(course.takeFirstChanged()).isZero();
    assertThat(course.hasChanged()).isFalse();
    assertThat(course.takeFirstChanged()).isEqualTo(course.size());
    course.addRequest(Course.INGEST, BEGIN + 110, 1, false);
    assertThat(course.takeFirstChanged()).isEqualTo(course.size() - 1);
    int generation = course.generation();
    course.addRequest(Course.INGEST, BEGIN - 100, 1, false);
    assertThat(course.generation()).isGreaterThan(generation);
  }

  private static void add(Course course, OneRequest one) {
    course.addRequest(
        one.ingest() ? Course.INGEST : "purge", one.atSeconds(), one.nanos(), one.failed());
  }

  private static void assertHoldsAll(Course course, List<OneRequest> requests) {
    assertThat(course.size()).isBetween(1, Course.MOST_BUCKETS);
    List<OneRequest> ingests = requests.stream().filter(OneRequest::ingest).toList();
    assertThat(sum(course.objects, course))
        .isEqualTo(ingests.stream().filter(one -> !one.failed()).count());
    assertThat(sum(course.failed, course))
        .isEqualTo(requests.stream().filter(OneRequest::failed).count());
    assertThat(course.others.values().stream().mapToLong(column -> sum(column, course)).sum())
        .isEqualTo(requests.stream().filter(one -> !one.ingest() && !one.failed()).count());
    assertThat(
            IntStream.range(0, course.size())
                .mapToLong(bucket -> course.latencies.countAt(bucket))
                .sum())
        .isEqualTo(ingests.size());
    assertThat(LongStream.range(0, course.size()).map(b -> course.longest.at((int) b)).max())
        .hasValue(ingests.stream().mapToLong(OneRequest::nanos).max().orElse(0));
  }

  private static long sum(Sums sums, Course course) {
    return IntStream.range(0, course.size()).mapToLong(sums::at).sum();
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
