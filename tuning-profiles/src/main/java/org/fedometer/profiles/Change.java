package org.fedometer.profiles;

import java.util.Optional;

/**
 * A change of a profile on the command line: another choice of a dimension, or another value of a
 * setting. Immutable.
 *
 * @param key null for a change of the choice itself
 * @param added true if the value is added to a list
 */
record Change(Dimension dimension, String key, boolean added, String value) {

  String dotted() {
    return dimension.key() + "." + key;
  }

  static Optional<Change> parse(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      return Optional.empty();
    }
    boolean added = equals > 0 && text.charAt(equals - 1) == '+';
    String target = text.substring(0, added ? equals - 1 : equals);
    String value = text.substring(equals + 1);
    Optional<Dimension> whole = Dimension.of(target);
    if (whole.isPresent() && !added) {
      return whole.map(dimension -> new Change(dimension, null, false, value));
    }
    return target(target).map(to -> new Change(to.dimension(), to.key(), added, value));
  }

  /** Parses {@code dimension.key}. */
  static Optional<Change> target(String dotted) {
    int dot = dotted.indexOf('.');
    if (dot < 0) {
      return Optional.empty();
    }
    return Dimension.of(dotted.substring(0, dot))
        .map(dimension -> new Change(dimension, dotted.substring(dot + 1), false, ""));
  }
}
