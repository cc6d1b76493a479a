package org.fedometer.datasets;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A numbered list of repository objects. Object <i>i</i> is a pure function of the dataset, its
 * parameters and <i>i</i>. Any worker, resumed run or verification can thus recreate any object
 * without state. Implementations are safe for use by many threads at once.
 */
public interface Dataset {

  /**
   * Returns the user's name for the dataset, without parameters: {@code patents}, {@code
   * patents-xml}.
   */
  String name();

  /**
   * Returns every parameter that determines the objects, with defaults filled in, in a fixed order:
   * seed, scale, pool checksum and the like. Recorded in the run.
   */
  Map<String, String> parameters();

  /**
   * @throws IllegalArgumentException if there is no object of this index
   */
  RepositoryObject object(long index);

  /** Returns the number of objects; {@link Long#MAX_VALUE} if it is unlimited. */
  default long size() {
    return Long.MAX_VALUE;
  }

  /**
   * @throws IllegalArgumentException with a message for the user, if there is no such object
   */
  default void requireObject(long index) {
    if (index < 0) {
      throw new IllegalArgumentException(
          "objects are numbered from 0; there is no object " + index);
    }
    if (index >= size() && size() != Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "dataset %s has %,d %s, numbered from 0; there is no object %,d",
              name(),
              size(),
              size() == 1 ? "object" : "objects",
              index));
    }
  }

  /**
   * @throws IllegalArgumentException with a message for the user, if the dataset lacks some of them
   */
  default void requireObjects(long first, long count) {
    if (first < 0 || count < 0 || first > Long.MAX_VALUE - count) {
      throw new IllegalArgumentException(
          "objects are numbered from 0; give a range from 0 on, not " + count + " from " + first);
    }
    if (count > 0) {
      requireObject(first);
    }
    if (first + count > size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "dataset %s has %,d %s, numbered from 0; %,d from number %,d on are too many",
              name(),
              size(),
              size() == 1 ? "object" : "objects",
              count,
              first));
    }
  }

  /**
   * Returns the number of first objects to which others refer or add statements, such as
   * collections or parents. They must be in Fedora before any other is sent.
   */
  default long leadingObjects() {
    return 0;
  }

  /** Returns the statements to add to other objects once Fedora holds object {@code index}. */
  default List<AddedStatement> additions(long index) {
    return List.of();
  }

  /**
   * Returns object {@code index} as it is when Fedora holds objects {@code first} to {@code first +
   * count - 1} with all their additions.
   */
  default RepositoryObject finished(long index, long first, long count) {
    return object(index);
  }

  /** Returns the namespaces of all PIDs, without the colon. */
  default Set<String> pidNamespaces() {
    String pid = object(0).pid();
    return Set.of(pid.substring(0, pid.indexOf(':')));
  }

  /**
   * Returns figures from the dataset's study, by the name of a measure of {@link
   * org.fedometer.datasets.statistics.DatasetStatistics}, or {@code deflation of DATASTREAM}; empty
   * if there is no study.
   */
  default Map<String, String> study() {
    return Map.of();
  }

  /** Returns unusable documents that were left out at opening; empty unless the user allowed it. */
  default List<UnusableDocument> skipped() {
    return List.of();
  }

  /** Returns other information about the files for the user: sentences fit for a terminal. */
  default List<String> notes() {
    return List.of();
  }

  /**
   * Returns an estimate of an object's mean bytes, for the disk preflight. It excludes the FOXML of
   * its properties, metadata and first few datastreams.
   */
  long meanObjectBytes();

  /**
   * Returns the longest literal that any object of this dataset can have, in bytes as stored by a
   * triplestore: see {@link StoredLiteral}. At most the limit given at opening.
   */
  int maxLiteralBytes();
}
