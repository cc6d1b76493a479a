package org.fedometer.experiments.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BuildInfoTest {

  @Test
  void theVersionIsTheBuilds() {
    assertThat(BuildInfo.current().version()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
  }

  @Test
  void theLaunchersCommitGoesBeforeTheBuilds() {
    BuildInfo info = BuildInfo.from(Map.of("FEDOMETER_GIT_COMMIT", "abc-dirty"));
    assertThat(info.gitCommit()).isEqualTo("abc-dirty");
  }

  @Test
  void aCommitIsNeverEmpty() {
    assertThat(BuildInfo.from(Map.of("FEDOMETER_GIT_COMMIT", " ")).gitCommit()).isNotBlank();
  }
}
