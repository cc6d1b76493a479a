package org.fedometer.repair;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class LibraryTest {

  @Test
  void aStackOverflowFailsOneObjectOnly() throws Exception {
    Method nested = LibraryTest.class.getDeclaredMethod("nested", int.class);
    assertThatThrownBy(() -> Library.call(nested, null, 0))
        .isInstanceOf(Library.FailureException.class)
        .hasMessageContaining("stack")
        .hasCauseInstanceOf(StackOverflowError.class);
  }

  @Test
  void memoryThatIsUsedUpIsNoFaultOfAnObject() throws Exception {
    Method full = LibraryTest.class.getDeclaredMethod("full");
    assertThatThrownBy(() -> Library.call(full, null)).isInstanceOf(OutOfMemoryError.class);
  }

  static int nested(int depth) {
    return depth < 0 ? 0 : 1 + nested(depth + 1);
  }

  static void full() {
    throw new OutOfMemoryError("full");
  }
}
