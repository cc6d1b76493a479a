package org.fedometer.profiles;

import java.util.List;

/** A profile was asked for that does not exist; the message lists those that do. */
public final class UnknownProfileException extends Exception {

  private static final long serialVersionUID = 1L;

  UnknownProfileException(String message) {
    super(message);
  }

  UnknownProfileException(String name, List<String> existing) {
    this("No profile is named '" + name + "'. There are: " + String.join(", ", existing) + ".");
  }
}
