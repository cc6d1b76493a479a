package org.fedometer.collector.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ArrivalOrderTest {
  private final ArrivalOrder order = new ArrivalOrder();

  @Test
  void keepsANewTime() {
    assertThat(order.of(5_000_000)).isEqualTo(5_000_000);
    assertThat(order.of(7_000_000)).isEqualTo(7_000_000);
    assertThat(order.of(6_000_000)).isEqualTo(6_000_000);
  }

  @Property
  void eventsOfOneTimeKeepTheirOrderWhateverComesBetween(
      @ForAll List<@IntRange(min = 0, max = 40) Integer> times) {
    ArrivalOrder all = new ArrivalOrder();
    Map<Integer, Long> newest = new HashMap<>();
    for (int time : times) {
      long given = all.of(time);
      assertThat(given).isGreaterThanOrEqualTo(time);
      Long before = newest.put(time, given);
      assertThat(before == null || given > before).isTrue();
    }
  }
}
