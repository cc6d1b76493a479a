package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.junit.jupiter.api.Test;

class ProvisioningStepsTest {

  @Test
  void attributesALateFailureToTheLastStep() throws InterruptedException {
    ProvisioningSteps steps = new ProvisioningSteps(ProvisioningListener.SILENT);
    steps.begin(ProvisioningStep.CREATE_DATABASE);
    steps.end();

    ProvisioningException failure = steps.failure(new IOException("stack.json is torn"), null);

    assertThat(failure.step()).isEqualTo(ProvisioningStep.CREATE_DATABASE);
    assertThat(failure).hasMessageContaining("stack.json is torn");
  }

  @Test
  void namesTheKindOfAFailureThatIsOnlyAPath() throws InterruptedException {
    ProvisioningSteps steps = new ProvisioningSteps(ProvisioningListener.SILENT);
    steps.begin(ProvisioningStep.INSTALL);

    assertThat(steps.failure(new AccessDeniedException("/srv/stack"), null))
        .hasMessage("Could not install Fedora: /srv/stack cannot be accessed by this user");
    assertThat(steps.failure(new NoSuchFileException("/srv/stack"), null))
        .hasMessage("Could not install Fedora: /srv/stack does not exist");
    assertThat(steps.failure(new FileAlreadyExistsException("/srv/stack"), null))
        .hasMessage("Could not install Fedora: /srv/stack already exists");
    assertThat(steps.failure(new FileSystemException("/srv/stack", null, "No space left"), null))
        .hasMessage("Could not install Fedora: /srv/stack: No space left");
  }
}
