package org.fedometer.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.driver.study.ScaleStudyResult;
import org.junit.jupiter.api.Test;

class StudyJsonTest {

  @Test
  void theRunAndItsPageHaveTheSameLimits() {
    assertThat(ScaleStudyResult.LIMITS_MILLIS).isEqualTo(ScaleStudy.LIMITS_MILLIS);
  }
}
