package org.fedometer.profiles;

import java.util.List;
import java.util.Objects;

/**
 * One resolved setting of a {@link Profile} and the place where its value comes from.
 *
 * @param name dimension and key, such as {@code database.maxActive}
 * @param values one value, or any number for a setting that is a list
 */
public record ProfileSetting(String name, List<String> values, Origin origin) {

  public ProfileSetting {
    Objects.requireNonNull(name, "name");
    values = List.copyOf(values);
    Objects.requireNonNull(origin, "origin");
  }

  /** The value as text; the values of a list with a space between them. */
  public String text() {
    return String.join(" ", values);
  }
}
