package org.fedometer.datasets;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/** One parameter of a dataset for users. Immutable. */
public final class Parameter<T> {

  private static final String NONE = "";

  private final String name;
  private final String meaning;
  private final String values;
  private final String standard;
  private final BiFunction<String, String, T> reader;

  private Parameter(
      String name,
      String meaning,
      String values,
      String standard,
      BiFunction<String, String, T> reader) {
    this.name = Objects.requireNonNull(name, "name");
    this.meaning = Objects.requireNonNull(meaning, "meaning");
    this.values = Objects.requireNonNull(values, "values");
    this.standard = Objects.requireNonNull(standard, "standard");
    this.reader = Objects.requireNonNull(reader, "reader");
  }

  /**
   * @param meaning a clause with the parameter's effect
   * @param values the possible values, in words
   * @param standard the default value, as a user would write it
   * @param reader the function that reads a value; it gets the parameter, as a message begins with
   *     it ({@code parameter levels of dataset ndltd}), and the value; throws {@link
   *     IllegalArgumentException}
   */
  public static <T> Parameter<T> of(
      String name,
      String meaning,
      String values,
      String standard,
      BiFunction<String, String, T> reader) {
    return new Parameter<>(name, meaning, values, standard, reader);
  }

  /** Returns a parameter with the constants of an enumeration, named in kebab-case. */
  public static <E extends Enum<E>> Parameter<E> choice(
      String name, String meaning, Class<E> choices, E standard) {
    List<E> constants = List.of(choices.getEnumConstants());
    String values = String.join(", ", constants.stream().map(Parameters::kebab).toList());
    return of(
        name,
        meaning,
        values,
        Parameters.kebab(standard),
        (parameter, value) ->
            constants.stream()
                .filter(choice -> Parameters.kebab(choice).equals(value))
                .findFirst()
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "%s cannot be '%s'; it can be: %s"
                                .formatted(parameter, value, values))));
  }

  /** Returns a parameter that is {@code true} or {@code false}. */
  public static Parameter<Boolean> flag(String name, String meaning, boolean standard) {
    return of(
        name,
        meaning,
        "true, false",
        Boolean.toString(standard),
        (parameter, value) -> {
          if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(
                "%s must be true or false, not '%s'".formatted(parameter, value));
          }
          return value.equals("true");
        });
  }

  public static Parameter<Long> number(String name, String meaning, long standard) {
    return of(
        name, meaning, "a whole number", Long.toString(standard), Parameter::parseWholeNumber);
  }

  public static Parameter<Long> seed() {
    return number("seed", "which objects of this kind are made", 1);
  }

  public static Parameter<Long> number(
      String name, String meaning, long standard, long min, long max) {
    return of(
        name,
        meaning,
        min + " to " + max,
        Long.toString(standard),
        (parameter, value) -> {
          long number = parseWholeNumber(parameter, value);
          if (number < min || number > max) {
            throw new IllegalArgumentException(
                "%s must be from %d to %d, not %d".formatted(parameter, min, max, number));
          }
          return number;
        });
  }

  private static long parseWholeNumber(String parameter, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s must be a whole number, not '%s'".formatted(parameter, value), e);
    }
  }

  /** Returns a parameter for a directory, which is required. */
  public static Parameter<String> directory(String name, String meaning) {
    return of(name, meaning, "a directory", NONE, (parameter, value) -> value);
  }

  public String name() {
    return name;
  }

  public String meaning() {
    return meaning;
  }

  /** Returns the possible values: a list separated by commas, or in words. */
  public String values() {
    return values;
  }

  /** Returns the default value, as a user would write it; empty if the parameter is required. */
  public Optional<String> standard() {
    return standard.isEmpty() ? Optional.empty() : Optional.of(standard);
  }

  T read(String dataset, Optional<String> given) {
    return reader.apply(
        "parameter %s of dataset %s".formatted(name, dataset), given.orElse(standard));
  }
}
