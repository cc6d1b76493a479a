package org.fedometer.profiles;

import java.util.List;

/** Thrown for a profile that does not exist; the message suggests a similar one, or lists all. */
public final class UnknownProfileException extends Exception {

  private static final long serialVersionUID = 1L;

  UnknownProfileException(String message) {
    super(message);
  }

  UnknownProfileException(String name, List<String> existing) {
    this("no profile is called '" + name + "'" + Spelling.suggestionOrAll(name, existing));
  }
}
