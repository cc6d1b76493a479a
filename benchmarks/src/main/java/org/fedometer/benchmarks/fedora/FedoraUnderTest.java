package org.fedometer.benchmarks.fedora;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.attach.AttachException;
import org.fedometer.attach.Jvm;
import org.fedometer.attach.Jvms;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.Provisioner;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.ProvisioningStep;

/** A Fedora without an agent, which is gone with all its files when this is closed. */
public final class FedoraUnderTest implements AutoCloseable {
  private final Path home;
  private Stack stack;

  public FedoraUnderTest(Path home) {
    this.home = home;
  }

  /** Installs it and waits until it answers. */
  public void start(Profile profile) throws ProvisioningException {
    ProvisioningListener news =
        new ProvisioningListener() {
          @Override
          public void stepStarted(ProvisioningStep step) {
            System.err.println("  " + step.label());
          }
        };
    stack = Provisioner.ofUser().provision(profile, StackOptions.at(home), news);
    stack.start(news);
  }

  public FedoraLogin login() throws IOException {
    String password = Files.readString(stack.passwordFile()).strip();
    return new FedoraLogin(stack.url(), stack.user(), password.toCharArray());
  }

  Jvm jvm() throws AttachException {
    return Jvms.of(stack.fedoraPid().orElseThrow());
  }

  @Override
  public void close() throws IOException {
    Optional<Stack> there = StackRegistry.ofUser().find(home);
    if (there.isPresent()) {
      there.get().delete();
    }
  }
}
