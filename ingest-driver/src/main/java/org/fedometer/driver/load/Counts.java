package org.fedometer.driver.load;

import java.util.EnumMap;
import java.util.Map;

/** Numbers of a load by counter; missing ones are zero. Immutable. */
public record Counts(Map<Count, Long> numbers) {

  public static final Counts NONE = new Counts(Map.of());

  public Counts {
    numbers = Map.copyOf(numbers);
  }

  public long of(Count count) {
    return numbers.getOrDefault(count, 0L);
  }

  /**
   * @param more negative to subtract
   */
  public Counts plus(Count count, long more) {
    return plus(new Counts(Map.of(count, more)));
  }

  public Counts plus(Counts other) {
    Map<Count, Long> sums = new EnumMap<>(Count.class);
    sums.putAll(numbers);
    other.numbers.forEach((count, more) -> sums.merge(count, more, Long::sum));
    return new Counts(sums);
  }
}
