package org.fedometer.experiments.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.fedometer.profiles.Origin;
import org.fedometer.profiles.ProfileFileException;
import org.fedometer.profiles.ProfileFileException.Problem;
import org.fedometer.profiles.Spelling;
import org.fedometer.profiles.YamlFile;

/**
 * Takes values out of a file and collects all that is wrong with it, so that whoever wrote it is
 * told at once. Used by one thread for one file.
 */
final class FileReading {
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9_]{0,17}");

  private final Set<Problem> problems = new LinkedHashSet<>();

  void problem(Origin origin, String text) {
    problems.add(new Problem(origin, text));
  }

  void problems(Collection<Problem> more) {
    problems.addAll(more);
  }

  /**
   * @throws ProfileFileException if anything is wrong so far
   */
  void stopAtProblems() {
    if (!problems.isEmpty()) {
      throw new ProfileFileException(
          problems.stream()
              .sorted(Comparator.comparingInt(problem -> problem.origin().line()))
              .toList());
    }
  }

  /** Refuses keys that nobody reads, each with the one that was probably meant. */
  void rejectUnknown(YamlFile.Mapping mapping, List<String> known) {
    mapping
        .keys()
        .forEach(
            (key, origin) -> {
              if (!known.contains(key)) {
                problem(origin, "unknown key '" + key + "'" + Spelling.suggestionOrAll(key, known));
              }
            });
  }

  /** Where a key stands, or the mapping if it does not. */
  static Origin at(YamlFile.Mapping mapping, String key) {
    return mapping.keys().getOrDefault(key, mapping.origin());
  }

  /** The text of a key; empty where it is not there or, which is a problem, no text. */
  Optional<String> text(YamlFile.Mapping mapping, String key) {
    YamlFile.Node node = mapping.entries().get(key);
    if (node == null) {
      return Optional.empty();
    }
    if (node instanceof YamlFile.Scalar scalar && !scalar.text().isBlank()) {
      return Optional.of(scalar.text().strip());
    }
    problem(at(mapping, key), key + ": give a single value");
    return Optional.empty();
  }

  /** A key that has to be there. */
  Optional<String> needed(YamlFile.Mapping mapping, String key, String what) {
    if (!mapping.entries().containsKey(key)) {
      problem(mapping.origin(), "key '" + key + "' is missing: " + what);
    }
    return text(mapping, key);
  }

  /** A whole number; {@code _} may part its digits. */
  Optional<Long> number(YamlFile.Mapping mapping, String key, long min, long max) {
    return text(mapping, key)
        .flatMap(
            text -> {
              if (NUMBER.matcher(text).matches()) {
                long number = Long.parseLong(text.replace("_", ""));
                if (number >= min && number <= max) {
                  return Optional.of(number);
                }
              }
              problem(
                  at(mapping, key),
                  key
                      + ": '"
                      + text
                      + "' is not a whole number of "
                      + min
                      + (max == Long.MAX_VALUE ? " or more" : " to " + max));
              return Optional.empty();
            });
  }

  <T> Optional<T> oneOf(YamlFile.Mapping mapping, String key, Map<String, T> valuesById) {
    return text(mapping, key)
        .flatMap(
            text -> {
              if (!valuesById.containsKey(text)) {
                problem(
                    at(mapping, key),
                    key
                        + ": '"
                        + text
                        + "' is none of "
                        + String.join(", ", valuesById.keySet())
                        + Spelling.suggestion(text, valuesById.keySet()));
              }
              return Optional.ofNullable(valuesById.get(text));
            });
  }

  /** A value that refuses bad text by an {@link IllegalArgumentException} in words. */
  <T> Optional<T> read(YamlFile.Mapping mapping, String key, Function<String, T> reader) {
    return read(mapping, key, List.of(), reader);
  }

  /** The same; one of the known words may have been meant. */
  <T> Optional<T> read(
      YamlFile.Mapping mapping, String key, List<String> known, Function<String, T> reader) {
    return text(mapping, key)
        .flatMap(
            text -> {
              try {
                return Optional.of(reader.apply(text));
              } catch (IllegalArgumentException e) {
                problem(
                    at(mapping, key),
                    key + ": " + e.getMessage() + Spelling.suggestion(text, known));
                return Optional.empty();
              }
            });
  }

  /** The mapping of a key; empty where it is not there or, which is a problem, none. */
  Optional<YamlFile.Mapping> mapping(YamlFile.Mapping mapping, String key) {
    YamlFile.Node node = mapping.entries().get(key);
    if (node == null) {
      return Optional.empty();
    }
    if (node instanceof YamlFile.Mapping found) {
      return Optional.of(found);
    }
    problem(at(mapping, key), key + ": expected a mapping, key: value");
    return Optional.empty();
  }

  /** The items of a key that is a list; of a single value that one. */
  List<YamlFile.Node> items(YamlFile.Mapping mapping, String key) {
    YamlFile.Node node = mapping.entries().get(key);
    if (node == null) {
      return List.of();
    }
    List<YamlFile.Node> items =
        node instanceof YamlFile.Sequence sequence ? sequence.items() : List.of(node);
    if (items.isEmpty()) {
      problem(at(mapping, key), key + ": the list is empty");
    }
    return items;
  }

  /** The texts of a key that is a list of single values; those of another kind are problems. */
  List<String> texts(YamlFile.Mapping mapping, String key) {
    List<String> texts = new ArrayList<>();
    for (YamlFile.Node item : items(mapping, key)) {
      if (item instanceof YamlFile.Scalar scalar) {
        texts.add(scalar.text().strip());
      } else {
        problem(item.origin(), key + ": give a list of single values");
      }
    }
    return texts;
  }
}
