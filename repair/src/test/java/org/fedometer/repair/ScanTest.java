package org.fedometer.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScanTest {

  @Test
  void keepsARepositoryWhoseFilesAreAllMissing() {
    assertThatThrownBy(() -> Scan.requireFiles(14_000_000, 0))
        .isInstanceOf(Library.FailureException.class)
        .hasMessageContaining("14000000 objects are registered")
        .hasMessageContaining("is mounted");
  }

  @Test
  void countsObjectsBeyondTheLimit() {
    assertThat(Scan.unlisted(100_007, Scan.MAX_OBJECTS)).isEqualTo(7);
    assertThat(Scan.unlisted(100_000, Scan.MAX_OBJECTS)).as("two with one hash").isEqualTo(1);
  }

  @Test
  void repairsTheRemainsOfACrash() {
    assertThatCode(() -> Scan.requireFiles(100, 0)).doesNotThrowAnyException();
    assertThatCode(() -> Scan.requireFiles(14_000_000, 1)).doesNotThrowAnyException();
    assertThatCode(() -> Scan.requireFiles(0, 0)).doesNotThrowAnyException();
  }
}
