package org.fedometer.experiments.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.fedometer.experiments.host.MemoryLimit;
import org.junit.jupiter.api.Test;

class MemoryCheckTest {
  private static final long GIB = 1L << 30;

  @Test
  void aHeapThatTheContainerHasNoMemoryForIsAProblem() {
    Check check = check(2 * GIB, 2 * GIB);

    assertThat(check.state()).isEqualTo(Check.State.PROBLEM);
    assertThat(check.found())
        .contains("the control group (container) has", "the kernel would kill Fedora");
    assertThat(check.advice()).contains("--set heap.maximum=");
  }

  @Test
  void aHeapThatLeavesLittleForTheRestIsWarnedOf() {
    assertThat(check(2 * GIB, 2 * GIB + 1).state()).isEqualTo(Check.State.WARNING);
    assertThat(check(2 * GIB, 3 * GIB).state()).isEqualTo(Check.State.OK);
  }

  @Test
  void withoutAnyLimitInSightNothingIsKnown() {
    assertThat(MemoryCheck.of(GIB, Optional.empty()).state()).isEqualTo(Check.State.UNKNOWN);
  }

  private static Check check(long heapBytes, long limitBytes) {
    return MemoryCheck.of(
        heapBytes, Optional.of(new MemoryLimit(limitBytes, "the control group (container)")));
  }
}
