package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HomeFindingsTest {

  @Test
  void anUnlistedObjectIsAnInconsistency() {
    assertThat(findings(0).isConsistent()).isTrue();
    assertThat(findings(1).isConsistent()).isFalse();
  }

  private static HomeFindings findings(long unlistedObjects) {
    return new HomeFindings(
        Map.of("objects", 3L, "inconsistentObjects", 1L, "unlistedObjects", unlistedObjects),
        List.of(),
        List.of(),
        Optional.empty());
  }
}
