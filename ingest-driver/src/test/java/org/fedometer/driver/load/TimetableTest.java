package org.fedometer.driver.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** When positions are due, without threads and without a clock. */
class TimetableTest {

  private static final long SECOND = 1_000_000_000L;

  @Property
  void intendedStartsAscendAcrossRateChanges(@ForAll("changes") List<Change> changes) {
    Timetable timetable = new Timetable(Long.MAX_VALUE);
    long next = 0;
    long loadNanos = 0;
    for (Change change : changes) {
      next += change.handedOut();
      loadNanos += change.afterNanos();
      timetable.change(next, change.perSecond(), loadNanos, change.keepsIntendedStart());
    }

    double before = 0;
    for (long position = 0; position < next + 100; position++) {
      Timetable.Segment segment = timetable.segmentOf(position);
      if (segment.scheduled()) {
        double due = segment.intendedNanos(position);
        assertThat(due).as("position " + position).isGreaterThan(before - 1);
        before = due;
      }
    }
  }

  @Example
  void whatIsOverdueIsCountedUpToTheLastPosition() {
    Timetable timetable = new Timetable(10);
    timetable.change(0, 1, 0, false);

    assertThat(timetable.overdue(4, 6 * SECOND)).isEqualTo(3);
    assertThat(timetable.overdue(4, 100 * SECOND)).isEqualTo(6);
  }

  record Change(double perSecond, long afterNanos, int handedOut, boolean keepsIntendedStart) {}

  @Provide
  Arbitrary<List<Change>> changes() {
    return Combinators.combine(
            Arbitraries.of(Timetable.CLOSED_MODEL, 0.1, 1.0, 7.0, 1_000.0),
            Arbitraries.longs().between(0, 20 * SECOND),
            Arbitraries.integers().between(0, 30),
            Arbitraries.of(true, false))
        .as(Change::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12);
  }
}
