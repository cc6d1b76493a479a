package org.fedometer.profiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fedometer.wire.FailureText;

/**
 * The YAML files of profiles and choices, from several folders. A file in a later folder replaces
 * one of the same name in an earlier one. Immutable.
 */
final class ProfileFiles {

  private static final String SUFFIX = ".yaml";

  /** By the name relative to its folder, such as {@code gc/default.yaml}. */
  private final Map<String, Source> files;

  /**
   * @param label the file's location for the user
   * @param text its content, or null if unreadable
   * @param error why it is unreadable, or null
   */
  private record Source(String label, String text, String error) {
    YamlFile.Mapping parsed() {
      if (text == null) {
        throw new ProfileFileException(new Origin(label, 0), error);
      }
      return YamlFile.parse(label, text);
    }
  }

  private ProfileFiles(Map<String, Source> files) {
    this.files = Collections.unmodifiableMap(files);
  }

  static ProfileFiles shipped() {
    URL anchor = Profiles.class.getResource("files/" + Profiles.DEFAULT + SUFFIX);
    if (anchor == null) {
      throw new IllegalStateException("the profiles are missing from this build of Fedometer");
    }
    return beside(anchor);
  }

  /** Returns the files in the folder of a file, which may be in a jar. */
  static ProfileFiles beside(URL anchor) {
    try {
      URI uri = anchor.toURI();
      if (!uri.getScheme().equals("jar")) {
        return shippedIn(Path.of(uri).getParent());
      }
      String text = uri.toString();
      int end = text.indexOf("!/");
      Path jar = Path.of(URI.create(text.substring("jar:".length(), end)));
      try (FileSystem inJar = FileSystems.newFileSystem(jar)) {
        return shippedIn(inJar.getPath(text.substring(end + 1)).getParent());
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a folder's files as if shipped: their labels are relative to it. */
  static ProfileFiles shippedIn(Path folder) {
    return new ProfileFiles(read(folder, false));
  }

  /** Returns these files overridden by those of a folder, if it exists. */
  ProfileFiles with(Path folder) {
    if (!Files.isDirectory(folder)) {
      return this;
    }
    Map<String, Source> all = new TreeMap<>(files);
    all.putAll(read(folder, true));
    return new ProfileFiles(all);
  }

  /** Returns these files and one profile from any location. */
  ProfileFiles withProfile(String name, Path file) {
    Map<String, Source> all = new TreeMap<>(files);
    all.put(name + SUFFIX, source(file, file.toString()));
    return new ProfileFiles(all);
  }

  private static Map<String, Source> read(Path folder, boolean fullPaths) {
    Map<String, Source> files = new TreeMap<>();
    addFiles(folder, "", fullPaths, files);
    // Other contents are ignored, such as a lost+found that only root may read.
    for (Dimension dimension : Dimension.values()) {
      Path choices = folder.resolve(dimension.key());
      if (Files.isDirectory(choices)) {
        addFiles(choices, dimension.key() + "/", fullPaths, files);
      }
    }
    return files;
  }

  private static void addFiles(
      Path folder, String prefix, boolean fullPaths, Map<String, Source> files) {
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        String name = prefix + path.getFileName();
        if (name.endsWith(SUFFIX) && Files.isRegularFile(path)) {
          files.put(name, source(path, fullPaths ? path.toString() : name));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw unreadable(folder, e.getCause());
    } catch (IOException e) {
      throw unreadable(folder, e);
    }
  }

  private static UncheckedIOException unreadable(Path folder, IOException cause) {
    return new UncheckedIOException("The profiles in " + folder + " cannot be read", cause);
  }

  /** Reads a file; a failure affects only users of that file. */
  private static Source source(Path file, String label) {
    try {
      return new Source(label, Files.readString(file), null);
    } catch (CharacterCodingException e) {
      return new Source(label, null, "it is not UTF-8; save it in UTF-8");
    } catch (IOException e) {
      return new Source(label, null, "it cannot be read: " + FailureText.of(e));
    }
  }

  /** Returns the profiles, sorted. */
  List<String> profiles() {
    return namesBelow("");
  }

  /** Returns the choices, sorted. */
  List<String> choices(Dimension dimension) {
    return namesBelow(dimension.key() + "/");
  }

  private List<String> namesBelow(String prefix) {
    return files.keySet().stream()
        .filter(file -> file.startsWith(prefix) && file.indexOf('/', prefix.length()) < 0)
        .map(file -> file.substring(prefix.length(), file.length() - SUFFIX.length()))
        .sorted()
        .toList();
  }

  Optional<YamlFile.Mapping> profile(String name) {
    return parsed(name);
  }

  Optional<YamlFile.Mapping> choice(Dimension dimension, String choice) {
    return choice.contains("/") ? Optional.empty() : parsed(dimension.key() + "/" + choice);
  }

  private Optional<YamlFile.Mapping> parsed(String name) {
    return Optional.ofNullable(files.get(name + SUFFIX)).map(Source::parsed);
  }
}
