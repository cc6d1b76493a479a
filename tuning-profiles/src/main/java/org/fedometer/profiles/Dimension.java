package org.fedometer.profiles;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a profile has to choose, in the order in which choices are resolved. The folder of the same
 * name holds one file for each choice.
 */
public enum Dimension {
  /** Where RDF triples go. */
  TRIPLESTORE,
  /** Where Fedora's own tables go. */
  DATABASE,
  JVM,
  GC,
  HEAP,
  FEDORA,
  /** How objects and datastreams lie on the disk. */
  LOWLEVEL,
  /** How Tomcat takes requests. */
  CONNECTOR;

  /** The name as written in files and options. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<Dimension> of(String key) {
    return Arrays.stream(values()).filter(dimension -> dimension.key().equals(key)).findFirst();
  }
}
