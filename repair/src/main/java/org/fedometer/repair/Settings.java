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
 * What the tool tells the child, as properties: never on a command line, since there is a password
 * in it. Immutable once it is filled.
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
    /** Whether the Dublin Core goes into the field index. */
    INDEX_DC,
    /** Trippi's connector; without it there is no triplestore. */
    CONNECTOR,
    /** {@code akubra-fs} or {@code legacy-fs}. */
    STORE,
    OBJECTS,
    OBJECT_PATTERN,
    CONTENTS,
    CONTENT_PATTERN,
    /** Folders of temporary files, a line each. */
    TEMPORARY,
    /** The home; copies lie as their originals do below it. */
    HOME,
    /** Where to what is removed is copied; without it nothing is changed. */
    COPIES,
    /** Whether objects of which Fedora does not know are removed instead of being registered. */
    DELETE_UNREGISTERED,
    /** PIDs, a line each; without it all. */
    PIDS,
    /**
     * Numbers of objects, a line each, ascending: the indexes are made anew, and nothing is looked
     * for.
     */
    INDEX_SIZES
  }

  public void set(Name name, String value) {
    values.setProperty(name.name(), value);
  }

  /** Puts a parameter of the triplestore's connector in. */
  public void setTriplestore(String parameter, String value) {
    values.setProperty(TRIPLESTORE + parameter, value);
  }

  private String value(Name name) {
    String value = values.getProperty(name.name());
    if (value == null) {
      throw new IllegalArgumentException("the tool did not say " + name);
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

  /** Null if there is no triplestore. */
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

  /** Null if nothing is to be changed. */
  Path copies() {
    String folder = values.getProperty(Name.COPIES.name());
    return folder == null ? null : Paths.get(folder);
  }

  boolean deletesUnregistered() {
    return values.getProperty(Name.DELETE_UNREGISTERED.name(), "false").equals("true");
  }

  /** Empty if the indexes are to stay. */
  List<Long> indexSizes() {
    List<Long> sizes = new ArrayList<>();
    for (String line : lines(Name.INDEX_SIZES)) {
      sizes.add(Long.valueOf(line));
    }
    return sizes;
  }

  /** Empty if all are meant. */
  Set<String> pids() {
    return new HashSet<>(lines(Name.PIDS));
  }
}
