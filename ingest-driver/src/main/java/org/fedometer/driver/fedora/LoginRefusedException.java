package org.fedometer.driver.fedora;

import java.io.IOException;

/** Thrown if Fedora does not accept the user and password. */
public final class LoginRefusedException extends IOException {

  private static final long serialVersionUID = 1L;

  LoginRefusedException(String message) {
    super(message);
  }
}
