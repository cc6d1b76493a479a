package org.fedometer.profiles;

import java.util.Objects;

/**
 * Where a value of a profile was written.
 *
 * @param place a file, relative to the profiles that are shipped or else whole, or the option
 *     {@code --set}
 * @param line from 1, or 0 where there are no lines
 */
public record Origin(String place, int line) {

  public Origin {
    Objects.requireNonNull(place, "place");
  }

  /** Such as {@code database/postgresql.yaml:12}. */
  @Override
  public String toString() {
    return line == 0 ? place : place + ":" + line;
  }
}
