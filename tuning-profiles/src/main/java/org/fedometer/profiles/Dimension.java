package org.fedometer.profiles;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The choices of a profile, in the order of their resolution. The folder of the same name has one
 * file for each choice.
 */
public enum Dimension {
  /** Storage of RDF triples. */
  TRIPLESTORE,
  /** Storage of Fedora's tables. */
  DATABASE,
  JVM,
  GC,
  HEAP,
  FEDORA,
  /** Layout of objects and datastreams on the disk. */
  LOWLEVEL,
  /** How Tomcat accepts requests. */
  CONNECTOR;

  /** Returns the name used in files and options. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<Dimension> of(String key) {
    return Arrays.stream(values()).filter(dimension -> dimension.key().equals(key)).findFirst();
  }
}
