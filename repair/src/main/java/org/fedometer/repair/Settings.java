package org.fedometer.repair;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * Settings from the tool for the child, as properties. They never appear on a command line, since
 * they include a password. Immutable once filled.
 */
public final class Settings {

  private static final String TRIPLESTORE = "triplestore.";

  private final Properties values;

  public Settings(Properties values) {
    this.values = values;
  }

  public enum Name {
    DATABASE_DRIVER,
    DATABASE_URL,
    DATABASE_USER,
    DATABASE_PASSWORD,
    /** True if Dublin Core is in the field index. */
    INDEX_DC,
    /** Trippi's connector; without it there is no triplestore. */
    CONNECTOR,
    /** {@code akubra-fs} or {@code legacy-fs}. */
    STORE,
    OBJECTS,
    OBJECT_PATTERN,
    CONTENTS,
    CONTENT_PATTERN,
    /** Folders of temporary files, one per line. */
    TEMPORARY,
    /** The home; copies have the same relative paths as their originals below it. */
    HOME,
    /** Folder for copies of removed data; without it nothing is changed. */
    COPIES,
    /** True if objects unknown to Fedora are removed instead of registered. */
    DELETE_UNREGISTERED,
    /** PIDs, one per line; all if absent. */
    PIDS,
    /**
     * Numbers of objects, ascending, one per line: the indexes are rebuilt without an examination.
     */
    INDEX_SIZES
  }

  public void set(Name name, String value) {
    values.setProperty(name.name(), value);
  }

  /** Sets a parameter of the triplestore's connector. */
  public void setTriplestore(String parameter, String value) {
    values.setProperty(TRIPLESTORE + parameter, value);
  }

  private String value(Name name) {
    String value = values.getProperty(name.name());
    if (value == null) {
      throw new IllegalArgumentException("the setting " + name + " is missing");
    }
    return value;
  }

  private List<String> lines(Name name) {
    List<String> lines = new ArrayList<>();
    for (String line : values.getProperty(name.name(), "").split("\n")) {
      if (!line.isEmpty()) {
        lines.add(line);
      }
    }
    return lines;
  }

  String databaseDriver() {
    return value(Name.DATABASE_DRIVER);
  }

  String databaseUrl() {
    return value(Name.DATABASE_URL);
  }

  String databaseUser() {
    return value(Name.DATABASE_USER);
  }

  String databasePassword() {
    return value(Name.DATABASE_PASSWORD);
  }

  boolean indexesDublinCore() {
    return value(Name.INDEX_DC).equals("true");
  }

  /** Returns the connector; null if there is no triplestore. */
  String connector() {
    return values.getProperty(Name.CONNECTOR.name());
  }

  Map<String, String> triplestore() {
    Map<String, String> parameters = new HashMap<>();
    for (String name : values.stringPropertyNames()) {
      if (name.startsWith(TRIPLESTORE)) {
        parameters.put(name.substring(TRIPLESTORE.length()), values.getProperty(name));
      }
    }
    return parameters;
  }

  boolean isLegacyStore() {
    return value(Name.STORE).equals("legacy-fs");
  }

  Path objects() {
    return Paths.get(value(Name.OBJECTS));
  }

  String objectPattern() {
    return value(Name.OBJECT_PATTERN);
  }

  Path contents() {
    return Paths.get(value(Name.CONTENTS));
  }

  String contentPattern() {
    return value(Name.CONTENT_PATTERN);
  }

  List<Path> temporary() {
    List<Path> folders = new ArrayList<>();
    for (String line : lines(Name.TEMPORARY)) {
      folders.add(Paths.get(line));
    }
    return folders;
  }

  Path home() {
    return Paths.get(value(Name.HOME));
  }

  /** Returns the folder for copies; null if nothing is to be changed. */
  Path copies() {
    String folder = values.getProperty(Name.COPIES.name());
    return folder == null ? null : Paths.get(folder);
  }

  boolean deletesUnregistered() {
    return values.getProperty(Name.DELETE_UNREGISTERED.name(), "false").equals("true");
  }

  /** Returns the numbers of objects; empty if the indexes are not rebuilt. */
  List<Long> indexSizes() {
    List<Long> sizes = new ArrayList<>();
    for (String line : lines(Name.INDEX_SIZES)) {
      sizes.add(Long.valueOf(line));
    }
    return sizes;
  }

  /** Returns the PIDs; empty for all. */
  Set<String> pids() {
    return new HashSet<>(lines(Name.PIDS));
  }
}
