package org.fedometer.profiles;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A resolved tuning profile: one choice for each dimension and all resulting settings. Made by
 * {@link Profiles}; immutable.
 *
 * @param name such as {@code mptstore-postgresql}
 * @param description one line for people
 * @param settings all settings by name, {@code dimension.key}
 * @param changes changes by the user, such as {@code gc=zgc}, in the given order
 */
public record Profile(
    String name,
    String description,
    Map<Dimension, String> choices,
    SortedMap<String, ProfileSetting> settings,
    List<String> changes) {

  /** Profile's name for the version of the Java that runs Fedometer. */
  static final String CURRENT_JAVA = "current";

  private static final String LITERAL_LIMIT = "triplestore.literalLimitBytes";

  private static final String LITERAL_LENGTH = "triplestore.literalLength";

  public Profile {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
    choices = Collections.unmodifiableMap(new EnumMap<>(choices));
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    changes = List.copyOf(changes);
    for (Dimension dimension : Dimension.values()) {
      if (!choices.containsKey(dimension)) {
        throw new IllegalArgumentException(
            "profile " + name + " has no choice for " + dimension.key());
      }
    }
  }

  /** Returns the name with all changes, such as {@code mulgara-derby gc=zgc}. */
  public String label() {
    return changes.isEmpty() ? name : name + " " + String.join(" ", changes);
  }

  /** Returns the version of Fedora's Java, such as 17. */
  public int javaVersion() {
    return javaVersion(text("jvm.version"));
  }

  /** Returns whether Fedora runs on the Java of Fedometer, whatever its version. */
  public boolean isOnCurrentJava() {
    return text("jvm.version").equals(CURRENT_JAVA);
  }

  static int javaVersion(String text) {
    return text.equals(CURRENT_JAVA) ? Runtime.version().feature() : Integer.parseInt(text);
  }

  public String choice(Dimension dimension) {
    return choices.get(dimension);
  }

  public boolean has(String setting) {
    return settings.containsKey(setting);
  }

  /** Returns whether a setting is present with this value. */
  boolean is(String setting, String value) {
    return has(setting) && text(setting).equals(value);
  }

  boolean isOn(Predicate<DatabaseProduct> such) {
    return has("database.product") && such.test(product());
  }

  DatabaseProduct product() {
    return DatabaseProduct.of(text("database.product"));
  }

  /** Returns whether triples are stored in a database. */
  boolean isOnMptstore() {
    return is("triplestore.store", "mptstore");
  }

  /**
   * @throws IllegalArgumentException if this profile has no such setting
   */
  public String text(String setting) {
    return setting(setting).text();
  }

  public List<String> list(String setting) {
    return setting(setting).values();
  }

  public int number(String setting) {
    return Integer.parseInt(text(setting));
  }

  /** Returns the value of a JVM memory setting, in bytes. */
  public long bytes(String setting) {
    return SettingType.Units.JVM.amount(text(setting)).orElseThrow().longValueExact();
  }

  public boolean hasTriplestore() {
    return !text("triplestore.store").equals("none");
  }

  /**
   * Returns the longest literal that the triplestore keeps, in stored bytes (escaped and quoted);
   * {@link Integer#MAX_VALUE} if unlimited as far as known.
   */
  public int literalLimitBytes() {
    int limit = has(LITERAL_LIMIT) ? number(LITERAL_LIMIT) : Integer.MAX_VALUE;
    // Stored literals are ASCII: characters equal bytes.
    return has(LITERAL_LENGTH) ? Math.min(limit, number(LITERAL_LENGTH)) : limit;
  }

  /** Returns whether the database exists already and is external. */
  public boolean isDatabaseExternal() {
    return text("database.server").equals("external");
  }

  /** Returns values that are needed before a stack can be made, one sentence each. */
  public List<String> missing() {
    return Combinations.missing(this).stream().map(Object::toString).toList();
  }

  public Map<String, String> choicesAsText() {
    Map<String, String> text = new LinkedHashMap<>();
    choices.forEach((dimension, choice) -> text.put(dimension.key(), choice));
    return text;
  }

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
