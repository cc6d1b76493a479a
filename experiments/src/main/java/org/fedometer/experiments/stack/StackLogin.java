package org.fedometer.experiments.stack;

import java.io.IOException;
import java.nio.file.Files;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.profiles.stack.Stack;

/** The login that a stack's installation has created. Stateless. */
public final class StackLogin {
  private StackLogin() {}

  /**
   * @param stack with the port of its Fedora
   * @throws IOException if its password cannot be read
   */
  public static FedoraLogin of(Stack stack) throws IOException {
    String password = Files.readString(stack.passwordFile()).strip();
    return new FedoraLogin(stack.url(), stack.user(), password.toCharArray());
  }
}
