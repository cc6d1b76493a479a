package org.fedometer.driver.verify;

import java.util.Locale;
import java.util.Objects;

/**
 * Something that a check of a repository has found not to be as it should.
 *
 * @param pid of the object; empty if it is about the repository
 * @param text a sentence
 */
public record Problem(Kind kind, String pid, String text) {

  public enum Kind {
    /** Fedora has no such object. */
    MISSING,
    /** Fedora answers with an error when it is asked for the object. */
    NOT_GIVEN,
    /** Label, datastreams, content, checksums or metadata are others. */
    DIFFERS,
    /** The triplestore has more or fewer triples of the object than it should. */
    TRIPLES,
    /** Fedora has the object, and its field search does not find it. */
    NOT_IN_FIELD_INDEX,
    /** The field search finds what Fedora does not have. */
    FIELD_INDEX_ORPHAN,
    /** The triplestore has triples of what Fedora does not have. */
    TRIPLESTORE_ORPHAN,
    /** A step of a mix has purged the object, and something of it is left. */
    NOT_PURGED,
    /** Something about all objects together. */
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
