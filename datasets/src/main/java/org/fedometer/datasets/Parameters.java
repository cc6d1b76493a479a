package org.fedometer.datasets;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a dataset's name after the colon: {@code VALUE,KEY=VALUE,...}. A bare value is the
 * main parameter.
 */
public final class Parameters {

  private final String dataset;
  private final Map<String, String> values;

  private Parameters(String dataset, Map<String, String> values) {
    this.dataset = dataset;
    this.values = values;
  }

  /**
   * @param text the text, which may be empty
   * @throws IllegalArgumentException if a key is unknown or given twice, or a value is missing
   */
  public static Parameters parse(DatasetKind kind, String text) {
    String dataset = kind.name();
    List<String> keys = kind.keys();
    Map<String, String> values = new LinkedHashMap<>();
    if (!text.isBlank()) {
      for (String part : text.split(",", -1)) {
        int equals = part.indexOf('=');
        if (keys.isEmpty()) {
          throw new IllegalArgumentException(
              "dataset %s has no parameters, but '%s' was given".formatted(dataset, part.strip()));
        }
        String key = equals < 0 ? keys.get(0) : part.substring(0, equals).strip();
        if (!keys.contains(key)) {
          throw new UnknownParameterException(dataset, key, keys);
        }
        add(dataset, values, key, part.substring(equals + 1).strip());
      }
    }
    return new Parameters(dataset, values);
  }

  /**
   * Parses parameters whose main one is a path, which may contain commas and equals signs. {@code
   * KEY=VALUE} counts as a parameter only at the end and only with a known key.
   *
   * @throws IllegalArgumentException if a key is given twice, or a value is missing
   */
  public static Parameters parseWithPath(DatasetKind kind, String text) {
    String dataset = kind.name();
    List<String> keys = kind.keys();
    Map<String, String> values = new LinkedHashMap<>();
    String rest = text;
    while (!rest.isEmpty()) {
      int comma = rest.lastIndexOf(',');
      String part = rest.substring(comma + 1);
      int equals = part.indexOf('=');
      String key = equals < 0 ? "" : part.substring(0, equals).strip();
      // With nothing before it, the path's own key comes below.
      if (!keys.contains(key) || comma < 0 && key.equals(keys.get(0))) {
        break;
      }
      add(dataset, values, key, part.substring(equals + 1).strip());
      rest = comma < 0 ? "" : rest.substring(0, comma);
    }
    if (rest.startsWith(keys.get(0) + "=")) {
      rest = rest.substring(keys.get(0).length() + 1);
    }
    if (!rest.isBlank()) {
      add(dataset, values, keys.get(0), rest.strip());
    }
    return new Parameters(dataset, values);
  }

  private static void add(String dataset, Map<String, String> values, String key, String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException(
          "parameter %s of dataset %s has no value".formatted(key, dataset));
    }
    if (values.put(key, value) != null) {
      throw new IllegalArgumentException(
          "parameter %s of dataset %s is given twice".formatted(key, dataset));
    }
  }

  public Optional<String> text(Parameter<?> parameter) {
    return Optional.ofNullable(values.get(parameter.name()));
  }

  /**
   * Returns the given value, or else the default.
   *
   * @throws IllegalArgumentException if the parameter does not accept it; lists accepted values
   */
  public <T> T value(Parameter<T> parameter) {
    return parameter.read(dataset, text(parameter));
  }

  /** Returns {@code us-fulltext} for {@code US_FULLTEXT}. */
  public static String kebab(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
