package org.fedometer.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SeriesTest {

  @Test
  void isInOrderOfCompletion() {
    // The first request is the longest and ends last.
    Series series = Series.of(new long[] {100, 110, 130}, new long[] {90, 5, 20});

    assertThat(series.count()).isEqualTo(3);
    assertThat(series.completionNanos(0)).isEqualTo(115);
    assertThat(series.durationNanos(0)).isEqualTo(5);
    assertThat(series.completionNanos(2)).isEqualTo(190);
    assertThat(series.durationNanos(2)).isEqualTo(90);
    assertThat(series.beginNanos()).isEqualTo(100);
    assertThat(series.elapsedNanos()).isEqualTo(90);
    assertThat(series.from(1).beginNanos()).isEqualTo(115);
  }

  @Property(tries = 200)
  void sortsWhateverOrderRequestsComeIn(
      @ForAll @Size(min = 1, max = 60) List<@LongRange(min = 0, max = 40) Long> starts,
      @ForAll @LongRange(min = 0, max = 40) long seed) {
    record Request(long completion, long duration) {}
    List<Request> expected = new ArrayList<>();
    long[] start = new long[starts.size()];
    long[] duration = new long[start.length];
    for (int i = 0; i < start.length; i++) {
      start[i] = starts.get(i);
      duration[i] = (seed * 31 + i * 17) % 41;
      expected.add(new Request(start[i] + duration[i], duration[i]));
    }
    expected.sort(Comparator.comparingLong(Request::completion));

    Series series = Series.of(start, duration);

    List<Request> sorted = new ArrayList<>();
    for (int i = 0; i < series.count(); i++) {
      sorted.add(new Request(series.completionNanos(i), series.durationNanos(i)));
    }
    assertThat(sorted).isEqualTo(expected);
  }

  @Test
  void aPartBeginsWhereTheRequestBeforeItWasCompleted() {
    Series part = SimulatedRun.closedModel(new long[] {10, 20, 30, 40}).slice(1, 3);

    assertThat(part.count()).isEqualTo(2);
    assertThat(part.durationNanos(0)).isEqualTo(20);
    assertThat(part.elapsedNanos()).isEqualTo(50);
    assertThat(part.objectsBefore()).isEqualTo(1);
    assertThat(part.from(1).elapsedNanos()).isEqualTo(30);
    assertThat(part.from(1).objectsBefore()).isEqualTo(2);
  }

  @Test
  void intervalsKeepEveryRequestAndAllOfTheTime() {
    Intervals intervals = SimulatedRun.closedModel(new long[] {1, 2, 3, 4, 5, 6, 7}).intervals(3);

    assertThat(intervals.size()).isEqualTo(3);
    assertThat(List.of(intervals.count(0), intervals.count(1), intervals.count(2)))
        .containsExactly(2, 2, 3);
    assertThat(intervals.means()).containsExactly(1.5, 3.5, 6);
    assertThat(intervals.elapsedNanos(2)).isEqualTo(18);
    assertThat(intervals.sumNanos(2)).isEqualTo(18);
    assertThat(intervals.first(2)).isEqualTo(4);
  }

  @Property(tries = 100)
  void intervalsDifferByOneRequestAtMost(
      @ForAll @IntRange(min = 1, max = 3000) int requests,
      @ForAll @IntRange(min = 1, max = 1000) int max) {
    Intervals intervals = Series.of(new long[requests], new long[requests]).intervals(max);

    int sum = 0;
    for (int i = 0; i < intervals.size(); i++) {
      assertThat(intervals.count(i))
          .isBetween(requests / intervals.size(), (requests - 1) / intervals.size() + 1);
      sum += intervals.count(i);
    }
    assertThat(intervals.size()).isEqualTo(Math.min(requests, max));
    assertThat(sum).isEqualTo(requests);
  }

  @Test
  void refusesWhatIsNoSeries() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Series.of(new long[2], new long[3]))
        .withMessageContaining("2 and 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Series.of(new long[0], new long[0]))
        .withMessageContaining("one at least");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Series.of(new long[1], new long[] {-1}))
        .withMessageContaining("Request 0 took -1 ns");
  }
}
