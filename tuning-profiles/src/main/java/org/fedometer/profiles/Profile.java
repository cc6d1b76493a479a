package org.fedometer.profiles;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A tuning profile as resolved: one choice for each dimension and every setting that follows from
 * them. Made by {@link Profiles}; immutable.
 *
 * @param name such as {@code mptstore-postgresql}
 * @param description one line for people
 * @param choices the choice of each {@link Dimension}
 * @param settings every setting by its name, {@code dimension.key}
 */
public record Profile(
    String name,
    String description,
    Map<Dimension, String> choices,
    SortedMap<String, ProfileSetting> settings) {

  private static final String LITERAL_LIMIT = "triplestore.literalLimitBytes";

  public Profile {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
    choices = Collections.unmodifiableMap(new EnumMap<>(choices));
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    for (Dimension dimension : Dimension.values()) {
      if (!choices.containsKey(dimension)) {
        throw new IllegalArgumentException(
            "profile " + name + " has no choice for " + dimension.key());
      }
    }
  }

  /** The choice of one dimension, such as {@code postgresql}. */
  public String choice(Dimension dimension) {
    return choices.get(dimension);
  }

  /** Whether the setting has a value in this profile. */
  public boolean has(String setting) {
    return settings.containsKey(setting);
  }

  /**
   * The value of a setting as text.
   *
   * @throws IllegalArgumentException if this profile has no such setting
   */
  public String text(String setting) {
    return setting(setting).text();
  }

  /** The values of a setting that is a list. */
  public List<String> list(String setting) {
    return setting(setting).values();
  }

  /** The value of a setting that is a whole number. */
  public int number(String setting) {
    return Integer.parseInt(text(setting));
  }

  /**
   * The longest literal that the triplestore keeps, in bytes as it stores them (escaped, without
   * quotes); {@link Integer#MAX_VALUE} where no limit is known.
   */
  public int literalLimitBytes() {
    return has(LITERAL_LIMIT) ? number(LITERAL_LIMIT) : Integer.MAX_VALUE;
  }

  /** Dimension to choice as plain text, for {@code run.json}. */
  public Map<String, String> choicesAsText() {
    Map<String, String> text = new LinkedHashMap<>();
    choices.forEach((dimension, choice) -> text.put(dimension.key(), choice));
    return text;
  }

  /** Setting to value as plain text, for {@code run.json}. */
  public Map<String, String> settingsAsText() {
    Map<String, String> text = new LinkedHashMap<>();
    settings.forEach((name, setting) -> text.put(name, setting.text()));
    return text;
  }

  private ProfileSetting setting(String setting) {
    ProfileSetting found = settings.get(setting);
    if (found == null) {
      throw new IllegalArgumentException("profile " + name + " has no setting " + setting);
    }
    return found;
  }
}
