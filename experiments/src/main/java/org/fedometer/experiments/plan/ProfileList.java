package org.fedometer.experiments.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.Origin;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.ProfileFileException;
import org.fedometer.profiles.ProfileFileException.Problem;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.Spelling;
import org.fedometer.profiles.UnknownProfileException;
import org.fedometer.profiles.YamlFile;
import org.fedometer.profiles.stack.Stack;

/**
 * The profiles of an experiment's file: listed ones, and those of its matrix. Confined to one
 * thread and file.
 */
final class ProfileList {
  static final String PROFILES = "profiles";
  static final String MATRIX = "matrix";

  private static final String NAME = "name";
  private static final String PROFILE = "profile";
  private static final String SET = "set";
  private static final String EXCEPT = "except";

  /** More are weeks of runs, or a typing error. */
  private static final int MAX_PROFILES = 100;

  /** Place of a change from the command line in a profile. */
  private static final String COMMAND = "--set";

  private final FileReading reading;
  private final Profiles profiles;
  private final List<PlannedProfile> planned = new ArrayList<>();
  private final Map<String, Origin> labels = new LinkedHashMap<>();

  ProfileList(FileReading reading, Profiles profiles) {
    this.reading = reading;
    this.profiles = profiles;
  }

  /** Returns the profiles of the file; problems go to the reading. */
  List<PlannedProfile> read(YamlFile.Mapping file) {
    if (!file.entries().containsKey(PROFILES) && !file.entries().containsKey(MATRIX)) {
      reading.problem(
          file.origin(),
          "give '"
              + PROFILES
              + "', a list of profiles, or '"
              + MATRIX
              + "', the dimensions to combine");
    }
    for (YamlFile.Node item : reading.items(file, PROFILES)) {
      listed(item);
    }
    reading.mapping(file, MATRIX).ifPresent(this::matrix);
    return planned;
  }

  /** Returns all labels of the file, including those of invalid profiles. */
  List<String> labels() {
    return List.copyOf(labels.keySet());
  }

  private void listed(YamlFile.Node item) {
    if (item instanceof YamlFile.Scalar scalar) {
      String name = scalar.text().strip();
      add(labelOf(fileName(name)), name, List.of(), item.origin());
    } else if (item instanceof YamlFile.Mapping entry) {
      reading.rejectUnknown(entry, List.of(NAME, PROFILE, SET));
      Optional<String> profile =
          reading.needed(entry, PROFILE, "the profile's name, or a .yaml file");
      List<String> changes = reading.mapping(entry, SET).map(this::changes).orElse(List.of());
      if (profile.isEmpty()) {
        return;
      }
      String byItself =
          Stream.concat(
                  Stream.of(fileName(profile.get())),
                  changes.stream().map(ProfileList::value).map(ProfileList::masked))
              .collect(Collectors.joining("-"));
      String label = reading.text(entry, NAME).orElse(labelOf(byItself));
      add(label, profile.get(), changes, FileReading.at(entry, PROFILE));
    } else {
      reading.problem(
          item.origin(), "expected a profile's name, or a mapping of name, profile and set");
    }
  }

  private List<String> changes(YamlFile.Mapping set) {
    List<String> changes = new ArrayList<>();
    set.entries()
        .keySet()
        .forEach(
            key -> {
              String dimension = dimension(key);
              if (dimensions().contains(dimension)) {
                changes.add(key + "=" + String.join(" ", reading.texts(set, key)));
              } else {
                reading.problem(
                    FileReading.at(set, key),
                    "no dimension is called '"
                        + dimension
                        + "'"
                        + Spelling.suggestionOrAll(dimension, dimensions()));
              }
            });
    return changes;
  }

  private static String dimension(String key) {
    return key.split("\\.", 2)[0];
  }

  private static List<String> dimensions() {
    return Arrays.stream(Dimension.values()).map(Dimension::key).toList();
  }

  // ---- the matrix ----

  private void matrix(YamlFile.Mapping matrix) {
    Map<String, List<String>> dimensions = new LinkedHashMap<>();
    for (String key : matrix.entries().keySet()) {
      if (key.equals(EXCEPT)) {
        continue;
      }
      if (!isKnown(key)) {
        reading.problem(
            FileReading.at(matrix, key),
            MATRIX + ": unknown key '" + key + "'" + Spelling.suggestionOrAll(key, knownKeys()));
      }
      dimensions.put(key, reading.texts(matrix, key));
    }
    if (dimensions.isEmpty()) {
      reading.problem(matrix.origin(), MATRIX + ": it has no dimension");
      return;
    }
    List<Map<String, String>> exceptions = exceptions(matrix, dimensions);
    int size = 1;
    for (List<String> values : dimensions.values()) {
      size *= Math.min(values.size(), MAX_PROFILES + 1);
      if (size > MAX_PROFILES) {
        reading.problem(
            matrix.origin(), MATRIX + ": makes more than " + MAX_PROFILES + " profiles");
        return;
      }
    }
    List<Map<String, String>> remaining =
        product(dimensions).stream()
            .filter(
                combination ->
                    exceptions.stream()
                        .noneMatch(each -> combination.entrySet().containsAll(each.entrySet())))
            .toList();
    if (remaining.isEmpty() && size > 0) {
      reading.problem(
          FileReading.at(matrix, EXCEPT),
          EXCEPT + ": the matrix leaves no profile; leave out less, or leave out the matrix");
    }
    remaining.forEach(combination -> add(combination, dimensions, matrix.origin()));
  }

  private static boolean isKnown(String key) {
    return key.equals(PROFILE) || dimensions().contains(dimension(key));
  }

  private static List<String> knownKeys() {
    return Stream.concat(Stream.of(PROFILE, EXCEPT), dimensions().stream()).toList();
  }

  private List<Map<String, String>> exceptions(
      YamlFile.Mapping matrix, Map<String, List<String>> dimensions) {
    List<Map<String, String>> exceptions = new ArrayList<>();
    for (YamlFile.Node item : reading.items(matrix, EXCEPT)) {
      if (!(item instanceof YamlFile.Mapping exception)) {
        reading.problem(item.origin(), EXCEPT + ": expected a list of mappings, dimension: value");
        continue;
      }
      Map<String, String> values = new LinkedHashMap<>();
      for (String key : exception.entries().keySet()) {
        String value = reading.text(exception, key).orElse("");
        List<String> there = dimensions.getOrDefault(key, List.of());
        if (!there.contains(value)) {
          reading.problem(
              FileReading.at(exception, key),
              EXCEPT
                  + ": the matrix has no "
                  + key
                  + ": "
                  + value
                  + ", so this leaves out nothing");
        }
        values.put(key, value);
      }
      exceptions.add(values);
    }
    return exceptions;
  }

  /** Returns all combinations; the first dimension changes slowest. */
  private static List<Map<String, String>> product(Map<String, List<String>> dimensions) {
    List<Map<String, String>> product = List.of(Map.of());
    for (Map.Entry<String, List<String>> dimension : dimensions.entrySet()) {
      List<Map<String, String>> wider = new ArrayList<>();
      for (Map<String, String> before : product) {
        for (String value : dimension.getValue()) {
          Map<String, String> combination = new LinkedHashMap<>(before);
          combination.put(dimension.getKey(), value);
          wider.add(combination);
        }
      }
      product = wider;
    }
    return product;
  }

  private void add(
      Map<String, String> combination, Map<String, List<String>> dimensions, Origin origin) {
    String profile = combination.getOrDefault(PROFILE, Profiles.DEFAULT);
    List<String> changes = new ArrayList<>();
    List<String> distinguishing = new ArrayList<>();
    combination.forEach(
        (key, value) -> {
          // An unknown key is reported once, not again by each profile.
          if (!key.equals(PROFILE) && isKnown(key)) {
            changes.add(key + "=" + value);
          }
          if (dimensions.get(key).size() > 1) {
            distinguishing.add(key.equals(PROFILE) ? fileName(value) : masked(value));
          }
        });
    List<String> parts =
        distinguishing.isEmpty()
            ? combination.values().stream().map(ProfileList::masked).toList()
            : distinguishing;
    add(labelOf(String.join("-", parts)), profile, changes, origin);
  }

  // ---- one profile ----

  private void add(String label, String profile, List<String> changes, Origin origin) {
    if (!PlannedProfile.isLabel(label)) {
      reading.problem(
          origin,
          "'"
              + label
              + "' cannot name a profile here: letters, digits, '-' and '_' are allowed, "
              + PlannedProfile.MAX_LABEL_LENGTH
              + " at most, the first a letter or digit; give another '"
              + NAME
              + "'");
      return;
    }
    Origin before = labels.putIfAbsent(label, origin);
    if (before != null) {
      reading.problem(
          origin,
          "the name "
              + label
              + " is already used at "
              + before
              + "; give one of them another '"
              + NAME
              + "'");
      return;
    }
    resolve(label, profile, changes, origin)
        .ifPresent(resolved -> planned.add(new PlannedProfile(label, resolved)));
  }

  private Optional<Profile> resolve(
      String label, String name, List<String> changes, Origin origin) {
    try {
      Profile profile = profiles.profile(name, changes);
      profile.missing().forEach(message -> reading.problem(origin, label + ": " + message));
      if (profile.isDatabaseExternal()) {
        reading.problem(
            origin,
            label
                + ": its database is external and keeps the data of a run for the next one; an"
                + " experiment needs a profile that creates its database");
      }
      return Optional.of(profile);
    } catch (UnknownProfileException e) {
      reading.problem(origin, e.getMessage());
    } catch (ProfileFileException e) {
      for (Problem problem : e.problems()) {
        Problem here =
            COMMAND.equals(problem.origin().place())
                ? new Problem(origin, label + ": " + problem.text())
                : problem;
        reading.problems(List.of(here));
      }
    }
    return Optional.empty();
  }

  /** Returns the name of a profile's file, which is the profile's name. */
  private static String fileName(String profile) {
    return profile.replaceFirst("^.*/", "").replaceFirst("\\.yaml$", "");
  }

  private static String value(String change) {
    return change.substring(change.indexOf('=') + 1);
  }

  /** Masks anything in the form of a secret, since run names are public. */
  private static String masked(String value) {
    return Arrays.stream(value.split("\\s+"))
        .map(Stack::maskedByForm)
        .collect(Collectors.joining(" "));
  }

  private static String labelOf(String text) {
    String label = text.replaceAll("[^A-Za-z0-9_-]+", "-").replaceAll("^[-_]+|-+$", "");
    return label.substring(0, Math.min(label.length(), PlannedProfile.MAX_LABEL_LENGTH));
  }
}
