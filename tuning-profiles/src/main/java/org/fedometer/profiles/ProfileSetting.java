package org.fedometer.profiles;

import java.util.List;
import java.util.Objects;

/**
 * One resolved setting of a {@link Profile} and the origin of its value.
 *
 * @param name dimension and key, such as {@code database.maxActive}
 * @param values one value, or any number for a list
 */
public record ProfileSetting(String name, List<String> values, Origin origin) {

  public ProfileSetting {
    Objects.requireNonNull(name, "name");
    values = List.copyOf(values);
    Objects.requireNonNull(origin, "origin");
  }

  /** Returns the value as text, list values separated by spaces. */
  public String text() {
    return String.join(" ", values);
  }
}
