package org.fedometer.profiles;

import java.util.Objects;

/**
 * Position of a value in a profile.
 *
 * @param place a file, relative to the shipped profiles or absolute, or the option {@code --set}
 * @param line from 1, or 0 without lines
 */
public record Origin(String place, int line) {

  public Origin {
    Objects.requireNonNull(place, "place");
  }

  /** Returns a position such as {@code database/postgresql.yaml:12}. */
  @Override
  public String toString() {
    return line == 0 ? place : place + ":" + line;
  }
}
