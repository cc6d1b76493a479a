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
 * Reads values of a file and collects all problems, to be reported at once. Confined to one thread
 * and file.
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
   * @throws ProfileFileException if there is any problem so far
   */
  void stopAtProblems() {
    if (!problems.isEmpty()) {
      throw new ProfileFileException(
          problems.stream()
              .sorted(Comparator.comparingInt(problem -> problem.origin().line()))
              .toList());
    }
  }

  /** Rejects unknown keys, each with a suggestion. */
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

  /** Returns the position of a key, or of the mapping if missing. */
  static Origin at(YamlFile.Mapping mapping, String key) {
    return mapping.keys().getOrDefault(key, mapping.origin());
  }

  /** Returns the text of a key; empty if missing or, with a problem, not text. */
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

  /** Returns the text of a mandatory key. */
  Optional<String> needed(YamlFile.Mapping mapping, String key, String what) {
    if (!mapping.entries().containsKey(key)) {
      problem(mapping.origin(), "key '" + key + "' is missing: " + what);
    }
    return text(mapping, key);
  }

  /** Returns a whole number; {@code _} may separate its digits. */
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

  /**
   * Returns a value by a reader that rejects text with an {@link IllegalArgumentException} for the
   * user.
   */
  <T> Optional<T> read(YamlFile.Mapping mapping, String key, Function<String, T> reader) {
    return read(mapping, key, List.of(), reader);
  }

  /** Same, with suggestions from the known words. */
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

  /** Returns the mapping of a key; empty if missing or, with a problem, no mapping. */
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

  /** Returns the items of a list, or a single value. */
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

  /** Returns the texts of a list of single values; other items are problems. */
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
