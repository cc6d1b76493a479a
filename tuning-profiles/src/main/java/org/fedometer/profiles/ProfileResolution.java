package org.fedometer.profiles;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.fedometer.profiles.ProfileFileException.Problem;
import org.fedometer.profiles.SettingCatalogue.Setting;

/** Resolves a profile's name to its settings. One object per profile, not thread-safe. */
final class ProfileResolution {

  static final List<String> ABOUT = List.of("description", "effect", "source");

  private static final String BASE = "base";
  private static final String LIKE = "like";
  private static final String SETTINGS = "settings";
  private static final String WITH = "with-";
  private static final String OTHERWISE = "otherwise";

  private static final String CUSTOM_HINT = "; those of your own are found with --profile-dir DIR";

  /** The heap whose size is replaced if a size without a file is chosen. */
  private static final String ANY_HEAP = "fixed";

  /** Origin of a value from the command line. */
  static final Origin COMMAND = new Origin("--set", 0);

  private final ProfileFiles files;
  private final String name;
  private final List<String> changes;
  private final Set<Problem> problems = new LinkedHashSet<>();

  /** The profile's file after its bases. */
  private final List<YamlFile.Mapping> levels = new ArrayList<>();

  private final Map<Dimension, Choice> choices = new EnumMap<>(Dimension.class);

  /** Beginnings of the choices' files. */
  private final Map<Dimension, Origin> choiceOrigins = new EnumMap<>(Dimension.class);

  private final Map<String, ProfileSetting> settings = new TreeMap<>();

  /**
   * @param level index of its file, or the number of files for the command line
   */
  private record Choice(String name, Origin origin, int level) {}

  ProfileResolution(ProfileFiles files, String name, List<String> changes) {
    this.files = files;
    this.name = name;
    this.changes = changes;
  }

  Profile profile() {
    readLevels();
    List<Change> settingChanges = choose();
    if (!isEveryChoiceThere()) {
      throwIfProblems();
    }
    choices.forEach(this::apply);
    for (int level = 0; level < levels.size(); level++) {
      override(level);
    }
    settingChanges.forEach(this::change);
    throwIfProblems();
    Map<Dimension, String> names = new EnumMap<>(Dimension.class);
    choices.forEach((dimension, choice) -> names.put(dimension, choice.name()));
    YamlFile.Mapping profileFile = levels.get(levels.size() - 1);
    Profile profile =
        new Profile(
            name,
            profileFile.text("description"),
            names,
            new TreeMap<>(settings),
            List.copyOf(changes));
    problems.addAll(Completeness.problemsOf(profile, choiceOrigins));
    throwIfProblems();
    problems.addAll(Combinations.problemsOf(profile));
    throwIfProblems();
    return profile;
  }

  private void throwIfProblems() {
    if (!problems.isEmpty()) {
      throw new ProfileFileException(List.copyOf(problems));
    }
  }

  // ---- files ----

  private void readLevels() {
    List<String> known = new ArrayList<>(List.of("description", BASE, SETTINGS));
    for (Dimension dimension : Dimension.values()) {
      known.add(dimension.key());
    }
    levels.addAll(
        withBases(
                name,
                null,
                known,
                base -> base.contains("/") ? Optional.empty() : files.profile(base),
                this::unknownBase)
            .values());
  }

  /** Returns the choice's file after its bases, by name; for a heap size, the generic file. */
  private Map<String, YamlFile.Mapping> choiceFiles(Dimension dimension, Choice choice) {
    List<String> known = new ArrayList<>(ABOUT);
    known.addAll(List.of(BASE, LIKE, SETTINGS));
    for (Dimension other : Dimension.values()) {
      if (other != dimension) {
        known.add(WITH + other.key());
      }
    }
    return withBases(
        isSizeOfHeap(dimension, choice.name()) ? ANY_HEAP : choice.name(),
        choice.origin(),
        known,
        base -> files.choice(dimension, base),
        base -> unknownChoice(dimension, base));
  }

  /** Returns a file after all of its bases, by name. */
  private Map<String, YamlFile.Mapping> withBases(
      String first,
      Origin requested,
      List<String> known,
      Function<String, Optional<YamlFile.Mapping>> find,
      UnaryOperator<String> unknown) {
    Map<String, YamlFile.Mapping> found = new LinkedHashMap<>();
    String next = first;
    Origin origin = requested;
    while (next != null) {
      Optional<YamlFile.Mapping> file = find.apply(next);
      if (file.isEmpty()) {
        throw fatal(origin, unknown.apply(next));
      }
      if (found.containsKey(next)) {
        throw fatal(origin, "bases form a cycle: " + list(found.keySet()) + ", " + next);
      }
      YamlFile.Mapping mapping = file.get();
      refuseUnknown(mapping, known, "key");
      mapping.text("description");
      found.put(next, mapping);
      YamlFile.Node base = mapping.entries().get(BASE);
      next = base == null ? null : mapping.text(BASE);
      origin = base == null ? null : base.origin();
    }
    List<String> names = new ArrayList<>(found.keySet());
    Collections.reverse(names);
    Map<String, YamlFile.Mapping> basesFirst = new LinkedHashMap<>();
    names.forEach(each -> basesFirst.put(each, found.get(each)));
    return basesFirst;
  }

  /** Returns an exception for a problem that ends the reading, with all earlier ones. */
  private ProfileFileException fatal(Origin origin, String text) {
    problems.add(new Problem(origin, text));
    return new ProfileFileException(List.copyOf(problems));
  }

  // ---- choices ----

  /** Sets the choices; returns the other changes of the command line. */
  private List<Change> choose() {
    for (int level = 0; level < levels.size(); level++) {
      YamlFile.Mapping file = levels.get(level);
      for (Dimension dimension : Dimension.values()) {
        if (file.entries().containsKey(dimension.key())) {
          YamlFile.Node node = file.entries().get(dimension.key());
          choose(dimension, new Choice(file.text(dimension.key()), node.origin(), level));
        }
      }
    }
    List<Change> others = new ArrayList<>();
    for (String text : changes) {
      Optional<Change> change = Change.parse(text);
      if (change.isEmpty()) {
        problems.add(
            new Problem(
                COMMAND,
                "'%s' is neither DIMENSION=CHOICE nor DIMENSION.KEY=VALUE; dimensions are: %s%s"
                    .formatted(text, list(dimensions()), perhapsDimension(text))));
      } else if (change.get().key() == null) {
        choose(change.get().dimension(), new Choice(change.get().value(), COMMAND, levels.size()));
      } else {
        others.add(change.get());
      }
    }
    for (Dimension dimension : Dimension.values()) {
      if (!choices.containsKey(dimension)) {
        YamlFile.Mapping profileFile = levels.get(levels.size() - 1);
        problems.add(
            new Problem(
                profileFile.origin(),
                "key '%s' is missing, and no base has it; there are: %s"
                    .formatted(dimension.key(), list(files.choices(dimension)))));
      }
    }
    return others;
  }

  private boolean isEveryChoiceThere() {
    return choices.size() == Dimension.values().length
        && choices.entrySet().stream()
            .allMatch(choice -> isThere(choice.getKey(), choice.getValue().name()));
  }

  private boolean isThere(Dimension dimension, String choice) {
    return isSizeOfHeap(dimension, choice) || files.choice(dimension, choice).isPresent();
  }

  private void choose(Dimension dimension, Choice choice) {
    if (!isThere(dimension, choice.name())) {
      problems.add(new Problem(choice.origin(), unknownChoice(dimension, choice.name())));
    }
    // Repeating a choice changes nothing: its settings still apply.
    choices.merge(
        dimension, choice, (before, now) -> before.name().equals(now.name()) ? before : now);
  }

  private String unknownChoice(Dimension dimension, String choice) {
    List<String> known = files.choices(dimension);
    return "unknown %s '%s'; there are: %s%s%s"
        .formatted(
            dimension.key(),
            choice,
            list(known),
            dimension == Dimension.HEAP
                ? ", and " + SettingType.Quantity.HEAP.allowed()
                : customHintUnlessNear(choice, known),
            // All numbers are similar.
            dimension == Dimension.JVM ? "" : Spelling.suggestion(choice, known));
  }

  /** Suggests the dimension of a setting's name, or of the text before its equals sign. */
  private static String perhapsDimension(String text) {
    return Spelling.suggestion(text.split("[.+=]", 2)[0], dimensions());
  }

  private String unknownBase(String base) {
    List<String> known = files.profiles();
    return "unknown base '%s'%s%s"
        .formatted(base, Spelling.suggestionOrAll(base, known), customHintUnlessNear(base, known));
  }

  /**
   * Hints at --profile-dir unless a typing error is likely, since the profile's folder is not
   * searched.
   */
  private static String customHintUnlessNear(String name, List<String> known) {
    return Spelling.nearest(name, known).isEmpty() ? CUSTOM_HINT : "";
  }

  /** Returns whether the choice is a heap size, which needs no file. */
  private boolean isSizeOfHeap(Dimension dimension, String choice) {
    return dimension == Dimension.HEAP
        && SettingType.Quantity.HEAP.accepts(choice)
        && files.choice(dimension, choice).isEmpty();
  }

  // ---- settings ----

  private void apply(Dimension dimension, Choice choice) {
    Collection<YamlFile.Mapping> chosen = choiceFiles(dimension, choice).values();
    for (YamlFile.Mapping each : chosen) {
      choiceOrigins.put(dimension, each.origin());
      if (each.entries().containsKey(SETTINGS)) {
        put(dimension, each.mapping(SETTINGS));
      }
    }
    if (isSizeOfHeap(dimension, choice.name())) {
      for (String key : List.of("minimum", "maximum")) {
        put(dimension, key, new YamlFile.Scalar(choice.name(), choice.origin()));
      }
    }
    for (Dimension other : Dimension.values()) {
      // A choice's section replaces its base's section of the same name.
      chosen.stream()
          .filter(each -> each.entries().containsKey(WITH + other.key()))
          .reduce((base, later) -> later)
          .ifPresent(each -> combine(dimension, choice, other, each.mapping(WITH + other.key())));
    }
  }

  private void combine(
      Dimension dimension, Choice choice, Dimension other, YamlFile.Mapping section) {
    String reason = "";
    YamlFile.Mapping beside = null;
    int besideDistance = Integer.MAX_VALUE;
    List<String> possible = new ArrayList<>();
    for (Map.Entry<String, YamlFile.Node> entry : section.entries().entrySet()) {
      String key = entry.getKey();
      if (key.equals(OTHERWISE)) {
        reason = ": " + section.text(OTHERWISE);
        continue;
      }
      possible.add(key);
      OptionalInt distance = distance(other, key, entry.getValue().origin());
      if (distance.isPresent() && (beside == null || distance.getAsInt() < besideDistance)) {
        beside = section.mapping(key);
        besideDistance = distance.getAsInt();
      }
    }
    if (beside != null) {
      put(dimension, beside);
      return;
    }
    Choice unfit = choices.get(other);
    // The last choice is at fault.
    Origin origin = unfit.level() > choice.level() ? unfit.origin() : choice.origin();
    problems.add(
        new Problem(
            origin,
            "%s %s cannot be combined with %s %s, only with %s%s"
                .formatted(
                    dimension.key(),
                    choice.name(),
                    other.key(),
                    other == Dimension.JVM ? Integer.toString(javaVersion()) : unfit.name(),
                    list(possible),
                    reason)));
  }

  /**
   * Returns how closely a key of a {@code with-} section matches the choice: first by its name,
   * then by what it is like, then by its bases; for Java, the fewest versions.
   *
   * @return a smaller number for a closer match; empty for no match
   */
  private OptionalInt distance(Dimension other, String key, Origin origin) {
    if (other == Dimension.JVM) {
      Optional<JavaVersions> versions = JavaVersions.parse(key);
      if (versions.isEmpty()) {
        problems.add(
            new Problem(
                origin, "'" + key + "' is not a range of Java versions; write 17, 8-13 or 15+"));
        return OptionalInt.empty();
      }
      return versions.get().hold(javaVersion())
          ? OptionalInt.of(versions.get().last() - versions.get().first())
          : OptionalInt.empty();
    }
    if (!isThere(other, key)) {
      problems.add(new Problem(origin, unknownChoice(other, key)));
      return OptionalInt.empty();
    }
    int distance = standsFor(other).indexOf(key);
    return distance < 0 ? OptionalInt.empty() : OptionalInt.of(distance);
  }

  /** Returns the choice, its bases, and after each of them what it is like. */
  private List<String> standsFor(Dimension dimension) {
    Set<String> basesFirst = new LinkedHashSet<>();
    choiceFiles(dimension, choices.get(dimension))
        .forEach(
            (choice, file) -> {
              if (file.entries().containsKey(LIKE)) {
                basesFirst.add(file.text(LIKE));
              }
              basesFirst.add(choice);
            });
    List<String> names = new ArrayList<>(basesFirst);
    names.add(choices.get(dimension).name());
    Collections.reverse(names);
    return names;
  }

  private int javaVersion() {
    String version = Profile.CURRENT_JAVA;
    for (YamlFile.Mapping file : choiceFiles(Dimension.JVM, choices.get(Dimension.JVM)).values()) {
      if (file.entries().get(SETTINGS) instanceof YamlFile.Mapping fileSettings
          && fileSettings.entries().get("version") instanceof YamlFile.Scalar text
          && SettingType.Text.JAVA_VERSION.accepts(text.text())) {
        version = text.text();
      }
    }
    return Profile.javaVersion(version);
  }

  private void override(int level) {
    YamlFile.Mapping file = levels.get(level);
    if (!file.entries().containsKey(SETTINGS)) {
      return;
    }
    file.mapping(SETTINGS)
        .entries()
        .forEach(
            (dotted, node) -> {
              Optional<Change> target = Change.target(dotted);
              if (target.isEmpty()) {
                problems.add(
                    new Problem(
                        node.origin(),
                        "unknown setting '%s'; expected dimension.key, and dimensions are: %s%s"
                            .formatted(dotted, list(dimensions()), perhapsDimension(dotted))));
              } else if (choices.get(target.get().dimension()).level() <= level) {
                overrideSetting(target.get().dimension(), target.get().key(), node);
              }
              // A base's settings of its own choice do not apply to another one.
            });
  }

  private void change(Change change) {
    Setting setting = SettingCatalogue.of(change.dimension()).get(change.key());
    boolean many = setting != null && setting.type() instanceof SettingType.Many;
    if (change.added() && setting != null && !many) {
      problems.add(new Problem(COMMAND, change.dotted() + " is not a list; write = instead of +="));
      return;
    }
    YamlFile.Node node = new YamlFile.Scalar(change.value(), COMMAND);
    if (many) {
      List<YamlFile.Node> items = new ArrayList<>();
      if (change.added() && settings.containsKey(change.dotted())) {
        settings
            .get(change.dotted())
            .values()
            .forEach(item -> items.add(new YamlFile.Scalar(item, COMMAND)));
      }
      Arrays.stream(change.value().split(" "))
          .filter(item -> !item.isEmpty())
          .forEach(item -> items.add(new YamlFile.Scalar(item, COMMAND)));
      node = new YamlFile.Sequence(items, COMMAND);
    }
    overrideSetting(change.dimension(), change.key(), node);
  }

  /** Overrides a setting of the choice; others would have no effect. */
  private void overrideSetting(Dimension dimension, String key, YamlFile.Node node) {
    if (!settings.containsKey(dimension.key() + "." + key)) {
      problems.add(
          new Problem(
              node.origin(),
              "unknown setting '%s' of %s %s%s"
                  .formatted(
                      key,
                      dimension.key(),
                      choices.get(dimension).name(),
                      Spelling.suggestionOrAll(key, keysOf(dimension)))));
      return;
    }
    if (SettingCatalogue.of(dimension).get(key).essential()) {
      problems.add(
          new Problem(
              node.origin(),
              "%s.%s follows from the choice and cannot be set; choose another %s"
                  .formatted(dimension.key(), key, dimension.key())));
      return;
    }
    put(dimension, key, node);
  }

  private List<String> keysOf(Dimension dimension) {
    String prefix = dimension.key() + ".";
    return settings.keySet().stream()
        .filter(setting -> setting.startsWith(prefix))
        .map(setting -> setting.substring(prefix.length()))
        .toList();
  }

  private void put(Dimension dimension, YamlFile.Mapping values) {
    values.entries().forEach((key, node) -> put(dimension, key, node));
  }

  private void put(Dimension dimension, String key, YamlFile.Node node) {
    Map<String, Setting> known = SettingCatalogue.of(dimension);
    Setting setting = known.get(key);
    if (setting == null) {
      problems.add(
          new Problem(
              node.origin(),
              "unknown setting '%s' of %s%s"
                  .formatted(key, dimension.key(), Spelling.suggestionOrAll(key, known.keySet()))));
      return;
    }
    String dotted = dimension.key() + "." + key;
    values(key, setting.type(), node)
        .ifPresent(
            values -> settings.put(dotted, new ProfileSetting(dotted, values, node.origin())));
  }

  private Optional<List<String>> values(String key, SettingType type, YamlFile.Node node) {
    List<YamlFile.Node> nodes = List.of(node);
    SettingType each = type;
    if (type instanceof SettingType.Many many) {
      each = many.each();
      if (!(node instanceof YamlFile.Sequence sequence)) {
        problems.add(new Problem(node.origin(), key + ": expected " + type.allowed()));
        return Optional.empty();
      }
      nodes = sequence.items();
    }
    List<String> values = new ArrayList<>();
    for (YamlFile.Node item : nodes) {
      if (item instanceof YamlFile.Scalar scalar && each.accepts(scalar.text())) {
        values.add(scalar.text());
      } else {
        String given =
            item instanceof YamlFile.Scalar scalar ? "'" + scalar.text() + "'" : "the value";
        problems.add(new Problem(item.origin(), key + ": " + given + " is not " + each.allowed()));
      }
    }
    return values.size() == nodes.size() ? Optional.of(values) : Optional.empty();
  }

  // ---- reading ----

  private void refuseUnknown(YamlFile.Mapping mapping, List<String> known, String what) {
    mapping
        .entries()
        .forEach(
            (key, node) -> {
              if (!known.contains(key)) {
                problems.add(
                    new Problem(
                        node.origin(),
                        "unknown "
                            + what
                            + " '"
                            + key
                            + "'"
                            + Spelling.suggestionOrAll(key, known)));
              }
            });
  }

  private static List<String> dimensions() {
    return Stream.of(Dimension.values()).map(Dimension::key).toList();
  }

  private static String list(Collection<String> names) {
    return String.join(", ", names);
  }
}
