package org.fedometer.profiles;

import java.util.List;

/**
 * A profile was asked for that does not exist; the message names the one that was probably meant,
 * or lists those that exist.
 */
public final class UnknownProfileException extends Exception {

  private static final long serialVersionUID = 1L;

  UnknownProfileException(String message) {
    super(message);
  }

  UnknownProfileException(String name, List<String> existing) {
    this("no profile is called '" + name + "'" + Spelling.suggestionOrAll(name, existing));
  }
}
