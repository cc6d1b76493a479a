package org.fedometer.profiles;

import java.util.List;

/** A profile was asked for that does not exist; the message lists those that do. */
public final class UnknownProfileException extends Exception {

  UnknownProfileException(String name, List<String> existing) {
    super("No profile is named '" + name + "'. There are: " + String.join(", ", existing) + ".");
  }
}
