package org.fedometer.datasets;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a dataset's name after the colon, taken apart: {@code VALUE,KEY=VALUE,...}. A bare
 * value is the main parameter. Datasets read theirs from here while they are opened.
 */
public final class Parameters {

  private final String dataset;
  private final Map<String, String> values;

  private Parameters(String dataset, Map<String, String> values) {
    this.dataset = dataset;
    this.values = values;
  }

  /**
   * Takes parameters apart.
   *
   * @param dataset name for messages
   * @param text may be empty
   * @param keys every parameter there is, the main one first; none if empty
   * @throws IllegalArgumentException if a key is unknown or given twice, or a value is missing
   */
  public static Parameters parse(String dataset, String text, List<String> keys) {
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
          throw new IllegalArgumentException(
              "dataset %s has no parameter '%s'; it has: %s"
                  .formatted(dataset, key, String.join(", ", keys)));
        }
        add(dataset, values, key, part.substring(equals + 1).strip());
      }
    }
    return new Parameters(dataset, values);
  }

  /**
   * Takes parameters apart whose main one is a path, which may hold commas and equals signs itself:
   * {@code KEY=VALUE} counts as a parameter only at the end and only with a known key.
   *
   * @param keys every parameter there is, the path first
   */
  public static Parameters parseWithPath(String dataset, String text, List<String> keys) {
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

  /** The value as given, if it was. */
  public Optional<String> text(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /**
   * A whole number.
   *
   * @throws IllegalArgumentException if it is none
   */
  public long number(String key, long otherwise) {
    String value = values.get(key);
    if (value == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "parameter %s of dataset %s must be a whole number, not '%s'"
              .formatted(key, dataset, value),
          e);
    }
  }

  /**
   * A whole number within limits.
   *
   * @throws IllegalArgumentException if it is none, or outside
   */
  public long number(String key, long otherwise, long least, long most) {
    long number = number(key, otherwise);
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "parameter %s of dataset %s must be from %d to %d, not %d"
              .formatted(key, dataset, least, most, number));
    }
    return number;
  }

  /**
   * {@code true} or {@code false}.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public boolean flag(String key, boolean otherwise) {
    String value = values.get(key);
    if (value == null) {
      return otherwise;
    }
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(
          "parameter %s of dataset %s must be true or false, not '%s'"
              .formatted(key, dataset, value));
    }
    return value.equals("true");
  }

  /**
   * A constant of an enumeration, named in kebab-case.
   *
   * @throws IllegalArgumentException if there is none of that name; lists what exists
   */
  public <E extends Enum<E>> E choice(String key, Class<E> choices, E otherwise) {
    String value = values.get(key);
    if (value == null) {
      return otherwise;
    }
    return Arrays.stream(choices.getEnumConstants())
        .filter(choice -> kebab(choice).equals(value))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "parameter %s of dataset %s cannot be '%s'; it can be: %s"
                        .formatted(
                            key,
                            dataset,
                            value,
                            String.join(
                                ", ",
                                Arrays.stream(choices.getEnumConstants())
                                    .map(Parameters::kebab)
                                    .toList()))));
  }

  /** How a constant is written in a parameter: {@code US_FULLTEXT} is {@code us-fulltext}. */
  public static String kebab(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
