package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProvisioningStepsTest {

  @Test
  void aFailureAfterTheLastStepIsToldAsThatSteps() throws InterruptedException {
    Provisioner.Steps steps = new Provisioner.Steps(ProvisioningListener.SILENT);
    steps.begin(ProvisioningStep.CREATE_DATABASE);
    steps.end();

    ProvisioningException failure = steps.failure(new IOException("stack.json is torn"), null);

    assertThat(failure.step()).isEqualTo(ProvisioningStep.CREATE_DATABASE);
    assertThat(failure).hasMessageContaining("stack.json is torn");
  }
}
