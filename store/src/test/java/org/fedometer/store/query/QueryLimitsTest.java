package org.fedometer.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueryLimitsTest {
  private static final long GIB = 1L << 30;

  @Test
  void commandQueriesUseAtMostOneGigabyte() {
    assertThat(QueryLimits.local(64 * GIB).memoryBytes()).isEqualTo(GIB);
  }

  @Test
  void commandQueriesUseHalfOfASmallMachine() {
    assertThat(QueryLimits.local(GIB).memoryBytes()).isEqualTo(GIB / 2);
  }

  @Test
  void unknownMemoryCountsAsSmall() {
    assertThat(QueryLimits.local(0).memoryBytes()).isEqualTo(GIB / 2);
  }

  @Test
  void memoryOfThisMachineIsKnown() {
    assertThat(QueryLimits.local().memoryBytes()).isBetween(1L, GIB);
  }
}
