package org.fedometer.profiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The tuning profiles that exist, read from YAML files: a file for each profile, and a folder for
 * each {@link Dimension} with a file for each choice. Called by the command and by {@code run}; any
 * thread.
 *
 * <p>A choice file has a {@code description}, {@code settings}, and {@code with-database}: settings
 * that hold only on that database. A choice that has {@code with-database} can be combined with
 * those databases only. A profile file has a {@code description}, the choice of each dimension, and
 * may override single settings under {@code settings}, named {@code dimension.key}.
 */
public final class Profiles {

  /** The profile that is taken when none is named. */
  public static final String DEFAULT = "mptstore-postgresql";

  private static final String SUFFIX = ".yaml";

  /** Every file by its name relative to the folder, such as {@code gc/default.yaml}. */
  private final Map<String, String> files;

  private Profiles(Map<String, String> files) {
    this.files = files;
  }

  /** The names of the profiles that Fedometer ships, sorted. */
  public static List<String> names() {
    return shipped().profileNames();
  }

  /**
   * Loads a profile that Fedometer ships.
   *
   * @throws UnknownProfileException if there is none of that name; lists what exists
   * @throws ProfileFileException if one of its files is wrong; says which and on what line
   */
  public static Profile load(String name) throws UnknownProfileException {
    return shipped().profile(name);
  }

  /** Profiles in a folder of the caller's; for tests. */
  static Profiles in(Path folder) {
    return new Profiles(read(folder));
  }

  List<String> profileNames() {
    return choicesIn("");
  }

  Profile profile(String name) throws UnknownProfileException {
    Objects.requireNonNull(name, "name");
    String file = name + SUFFIX;
    if (name.contains("/") || !files.containsKey(file)) {
      throw new UnknownProfileException(name, profileNames());
    }
    return new Resolution(name, file).profile();
  }

  /** Names of the files directly below a folder; the empty prefix is the top. */
  private List<String> choicesIn(String prefix) {
    return files.keySet().stream()
        .filter(file -> file.startsWith(prefix) && file.indexOf('/', prefix.length()) < 0)
        .map(file -> file.substring(prefix.length(), file.length() - SUFFIX.length()))
        .sorted()
        .toList();
  }

  /** The work of one {@link #profile} call. */
  private final class Resolution {
    private final String name;
    private final String file;
    private final YamlFile.Mapping root;
    private final Map<Dimension, String> choices = new EnumMap<>(Dimension.class);
    private final Map<String, ProfileSetting> settings = new TreeMap<>();

    Resolution(String name, String file) {
      this.name = name;
      this.file = file;
      this.root = YamlFile.parse(file, files.get(file));
    }

    Profile profile() {
      List<String> known = new ArrayList<>(List.of("description", "settings"));
      for (Dimension dimension : Dimension.values()) {
        known.add(dimension.key());
      }
      refuseUnknown(file, root, known, "key");
      for (Dimension dimension : Dimension.values()) {
        choices.put(dimension, choose(dimension));
      }
      choices.forEach(this::apply);
      if (root.entries().containsKey("settings")) {
        override(mapping(file, root, "settings"));
      }
      return new Profile(name, text(file, root, "description"), choices, new TreeMap<>(settings));
    }

    private String choose(Dimension dimension) {
      String key = dimension.key();
      String choice = text(file, root, key);
      if (!files.containsKey(key + "/" + choice + SUFFIX)) {
        throw new ProfileFileException(
            file,
            root.entries().get(key).line(),
            "unknown " + key + " '" + choice + "'; there are: " + list(choicesIn(key + "/")));
      }
      return choice;
    }

    private void apply(Dimension dimension, String choice) {
      String choiceFile = dimension.key() + "/" + choice + SUFFIX;
      YamlFile.Mapping content = YamlFile.parse(choiceFile, files.get(choiceFile));
      refuseUnknown(
          choiceFile, content, List.of("description", "settings", "with-database"), "key");
      text(choiceFile, content, "description");
      put(choiceFile, dimension, mapping(choiceFile, content, "settings"));
      if (!content.entries().containsKey("with-database")) {
        return;
      }
      YamlFile.Mapping withDatabase = mapping(choiceFile, content, "with-database");
      refuseUnknown(choiceFile, withDatabase, choicesIn("database/"), "database");
      String database = choices.get(Dimension.DATABASE);
      if (!withDatabase.entries().containsKey(database)) {
        throw new ProfileFileException(
            file,
            root.entries().get(dimension.key()).line(),
            "%s %s cannot be combined with database %s, only with %s"
                .formatted(
                    dimension.key(), choice, database, list(withDatabase.entries().keySet())));
      }
      put(choiceFile, dimension, mapping(choiceFile, withDatabase, database));
    }

    private void override(YamlFile.Mapping overrides) {
      overrides
          .entries()
          .forEach(
              (dotted, node) -> {
                int dot = dotted.indexOf('.');
                Dimension dimension = null;
                for (Dimension each : Dimension.values()) {
                  if (dot > 0 && each.key().equals(dotted.substring(0, dot))) {
                    dimension = each;
                  }
                }
                if (dimension == null) {
                  throw new ProfileFileException(
                      file,
                      node.line(),
                      "unknown setting '" + dotted + "'; expected dimension.key");
                }
                put(file, dimension, dotted.substring(dot + 1), node);
              });
    }

    private void put(String origin, Dimension dimension, YamlFile.Mapping values) {
      values.entries().forEach((key, node) -> put(origin, dimension, key, node));
    }

    private void put(String origin, Dimension dimension, String key, YamlFile.Node node) {
      Map<String, SettingType> types = SettingCatalogue.of(dimension);
      SettingType type = types.get(key);
      if (type == null) {
        throw new ProfileFileException(
            origin,
            node.line(),
            "unknown setting '%s' of %s; there are: %s"
                .formatted(key, dimension.key(), list(types.keySet())));
      }
      List<String> values = values(origin, key, type, node);
      String dotted = dimension.key() + "." + key;
      settings.put(dotted, new ProfileSetting(dotted, values, origin + ":" + node.line()));
    }

    private List<String> values(String origin, String key, SettingType type, YamlFile.Node node) {
      List<YamlFile.Node> nodes = List.of(node);
      SettingType each = type;
      if (type instanceof SettingType.Many many) {
        each = many.each();
        if (!(node instanceof YamlFile.Sequence sequence)) {
          throw new ProfileFileException(origin, node.line(), key + ": expected " + type.allowed());
        }
        nodes = sequence.items();
      }
      List<String> values = new ArrayList<>();
      for (YamlFile.Node item : nodes) {
        if (!(item instanceof YamlFile.Scalar scalar) || !each.accepts(scalar.text())) {
          String given =
              item instanceof YamlFile.Scalar scalar ? "'" + scalar.text() + "'" : "that";
          throw new ProfileFileException(
              origin, item.line(), key + ": " + given + " is not " + each.allowed());
        }
        values.add(scalar.text());
      }
      return values;
    }
  }

  private static void refuseUnknown(
      String file, YamlFile.Mapping mapping, List<String> known, String what) {
    mapping
        .entries()
        .forEach(
            (key, node) -> {
              if (!known.contains(key)) {
                throw new ProfileFileException(
                    file,
                    node.line(),
                    "unknown " + what + " '" + key + "'; expected one of: " + list(known));
              }
            });
  }

  private static String text(String file, YamlFile.Mapping mapping, String key) {
    if (mapping.entries().get(key) instanceof YamlFile.Scalar scalar) {
      return scalar.text();
    }
    throw missing(file, mapping, key, "text");
  }

  private static YamlFile.Mapping mapping(String file, YamlFile.Mapping mapping, String key) {
    if (mapping.entries().get(key) instanceof YamlFile.Mapping found) {
      return found;
    }
    throw missing(file, mapping, key, "a mapping, key: value");
  }

  private static ProfileFileException missing(
      String file, YamlFile.Mapping mapping, String key, String expected) {
    YamlFile.Node found = mapping.entries().get(key);
    int line = found == null ? mapping.line() : found.line();
    String problem = found == null ? "key '" + key + "' is missing" : "key '" + key + "'";
    return new ProfileFileException(file, line, problem + "; expected " + expected);
  }

  private static String list(Iterable<String> words) {
    return String.join(", ", words);
  }

  private static Profiles shipped() {
    URL anchor = Profiles.class.getResource("files/" + DEFAULT + SUFFIX);
    if (anchor == null) {
      throw new IllegalStateException("the profiles are missing from this build of Fedometer");
    }
    return beside(anchor);
  }

  /** The profiles in the folder of a file, which may be within a jar. */
  static Profiles beside(URL anchor) {
    try {
      URI uri = anchor.toURI();
      if (!uri.getScheme().equals("jar")) {
        return new Profiles(read(Path.of(uri).getParent()));
      }
      String text = uri.toString();
      int end = text.indexOf("!/");
      Path jar = Path.of(URI.create(text.substring("jar:".length(), end)));
      try (FileSystem inJar = FileSystems.newFileSystem(jar)) {
        return new Profiles(read(inJar.getPath(text.substring(end + 1)).getParent()));
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> read(Path folder) {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        String name = folder.relativize(path).toString().replace('\\', '/');
        if (name.endsWith(SUFFIX) && Files.isRegularFile(path)) {
          files.put(name, Files.readString(path));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }
}
