package org.fedometer.experiments.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class StepFailureTest {

  @Test
  void hasTheMessageOfItsCause() {
    assertThat(StepFailure.of(Step.SEAL, new IOException("no space")))
        .hasMessage("no space")
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void namesACauseWithoutAMessageByItsType() {
    assertThat(StepFailure.of(Step.SEAL, new ClosedChannelException()))
        .hasMessage("closed channel");
  }
}
