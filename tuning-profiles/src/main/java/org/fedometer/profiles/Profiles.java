package org.fedometer.profiles;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The available tuning profiles, read from YAML files: a file for each profile, and a folder for
 * each {@link Dimension} with a file for each choice. Immutable.
 *
 * <p>A profile file has a {@code description}, the choice of each dimension, and may override
 * single settings under {@code settings}, named {@code dimension.key}. With {@code base}, another
 * profile, it needs only the differences.
 *
 * <p>A choice file has a {@code description}, {@code settings} with a value for each key, and
 * optionally {@code base}, another choice of the dimension; {@code effect}, its known effect, and
 * {@code source}, the evidence. Its {@code with-DIMENSION} sections have settings for combinations
 * with one choice of that dimension. Such a choice can be combined with the choices of the section
 * only; {@code otherwise} explains why.
 */
public final class Profiles {

  /** The default profile. */
  public static final String DEFAULT = "mptstore-postgresql";

  private final ProfileFiles files;

  private Profiles(ProfileFiles files) {
    this.files = files;
  }

  /** Returns the shipped profiles and those in the user's folder. */
  public static Profiles ofUser() {
    return shipped().with(UserFolders.configuration().resolve("profiles"));
  }

  public static Profiles shipped() {
    return new Profiles(ProfileFiles.shipped());
  }

  /** Returns these profiles overridden by those of a folder. */
  public Profiles with(Path folder) {
    return new Profiles(files.with(folder));
  }

  static Profiles of(ProfileFiles files) {
    return new Profiles(files);
  }

  /** Returns the names, sorted. */
  public List<String> names() {
    return files.profiles();
  }

  /** Returns the choices, sorted. */
  public List<String> choices(Dimension dimension) {
    return files.choices(dimension);
  }

  /**
   * Returns a choice's {@code description}, and {@code effect} and {@code source} if present.
   *
   * @throws IllegalArgumentException if there is no such choice
   * @throws ProfileFileException if its file is invalid
   */
  public Map<String, String> about(Dimension dimension, String choice) {
    YamlFile.Mapping file =
        files
            .choice(dimension, choice)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "unknown " + dimension.key() + " '" + choice + "'"));
    Map<String, String> about = new LinkedHashMap<>();
    file.text("description");
    for (String key : ProfileResolution.ABOUT) {
      if (file.entries().get(key) instanceof YamlFile.Scalar text) {
        about.put(key, text.text());
      }
    }
    return about;
  }

  /**
   * @throws UnknownProfileException if there is none of that name, with suggestions
   * @throws ProfileFileException if it is invalid, with problems, positions and allowed values
   */
  public Profile profile(String name) throws UnknownProfileException {
    return profile(name, List.of());
  }

  /**
   * Resolves a profile with the user's changes.
   *
   * @param name of a profile, or the path of a file that ends in {@code .yaml}
   * @param changes each {@code DIMENSION=CHOICE}, {@code DIMENSION.KEY=VALUE}, or {@code
   *     DIMENSION.KEY+=VALUE} to add to a list; list values are separated by spaces
   * @throws UnknownProfileException if there is none of that name, with suggestions
   * @throws ProfileFileException if it is invalid, with problems, positions and allowed values
   */
  public Profile profile(String name, List<String> changes) throws UnknownProfileException {
    Objects.requireNonNull(name, "name");
    ProfileFiles all = files;
    String called = name;
    if (name.endsWith(".yaml")) {
      Path file = Path.of(name);
      if (!Files.isRegularFile(file)) {
        throw new UnknownProfileException("there is no file " + name + YamlFile.perhaps(file));
      }
      called = file.getFileName().toString().replaceFirst("\\.yaml$", "");
      all = files.withProfile(called, file);
    }
    if (called.contains("/") || all.profile(called).isEmpty()) {
      throw new UnknownProfileException(name, names());
    }
    return new ProfileResolution(all, called, new ArrayList<>(changes)).profile();
  }
}
