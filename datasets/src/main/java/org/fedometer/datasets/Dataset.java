package org.fedometer.datasets;

import java.util.List;
import java.util.Map;

/**
 * A numbered list of repository objects. Object <i>i</i> is a pure function of the dataset, its
 * parameters and <i>i</i>, so that any worker, a resume or a verification can make any object again
 * without state. Implementations are safe for use by many threads at once.
 */
public interface Dataset {

  /** The dataset as a user names it, without parameters: {@code patents}, {@code patents-xml}. */
  String name();

  /**
   * Every parameter that decides what the objects are, resolved (defaults filled in), in a fixed
   * order: seed, scale, pool checksum and the like. Recorded in the run.
   */
  Map<String, String> parameters();

  /**
   * Makes object {@code index}.
   *
   * @param index zero or above, without upper bound
   * @throws IllegalArgumentException if index is negative
   */
  RepositoryObject object(long index);

  /**
   * What was left out when the dataset was opened because it cannot be used; empty unless the user
   * allowed it.
   */
  default List<UnusableDocument> skipped() {
    return List.of();
  }

  /** What else a user should know of the files that were found: sentences fit for a terminal. */
  default List<String> notes() {
    return List.of();
  }

  /** Mean bytes of content an object, for the disk preflight; an estimate. */
  long meanObjectBytes();

  /**
   * The longest literal that any object of this dataset can carry, in bytes as a triplestore keeps
   * it: see {@link StoredLiteral}. At most the limit that the dataset was opened with.
   */
  int longestLiteralBytes();
}
