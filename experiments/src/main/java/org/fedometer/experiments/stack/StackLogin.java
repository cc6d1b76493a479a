package org.fedometer.experiments.stack;

import java.io.IOException;
import java.nio.file.Files;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.profiles.stack.Stack;

/** The login that the installation of a stack has made. Stateless. */
public final class StackLogin {
  private StackLogin() {}

  /**
   * @param stack one whose Fedora has its port
   * @throws IOException if its password cannot be read
   */
  public static FedoraLogin of(Stack stack) throws IOException {
    String password = Files.readString(stack.passwordFile()).strip();
    return new FedoraLogin(stack.url(), stack.user(), password.toCharArray());
  }
}
