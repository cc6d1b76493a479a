package org.fedometer.driver.verify;

import java.util.Locale;
import java.util.Objects;

/**
 * A problem found by a check of a repository.
 *
 * @param pid of the object; empty for a problem of the repository
 * @param text a sentence
 */
public record Problem(Kind kind, String pid, String text) {

  public enum Kind {
    /** Fedora has no such object. */
    MISSING,
    /** Fedora answers with an error for the object. */
    NOT_GIVEN,
    /** Label, datastreams, content, checksums or metadata differ. */
    DIFFERS,
    /** The triplestore has more or fewer triples of the object than expected. */
    TRIPLES,
    /** Fedora has the object, but its field search does not find it. */
    NOT_IN_FIELD_INDEX,
    /** The field search finds an object that Fedora does not have. */
    FIELD_INDEX_ORPHAN,
    /** The triplestore has triples of an object that Fedora does not have. */
    TRIPLESTORE_ORPHAN,
    /** A step of a mix has purged the object, but something remains. */
    NOT_PURGED,
    /** A problem of all objects together. */
    WHOLE;

    public String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public Problem {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(pid, "pid");
    Objects.requireNonNull(text, "text");
  }
}
