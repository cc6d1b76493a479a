package org.fedometer.datasets;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

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
   * @throws IllegalArgumentException if there is no object of this index
   */
  RepositoryObject object(long index);

  /** How many objects there are; {@link Long#MAX_VALUE} if there is no end to them. */
  default long size() {
    return Long.MAX_VALUE;
  }

  /**
   * @throws IllegalArgumentException in words for the user, if there is no such object
   */
  default void requireObject(long index) {
    if (index < 0) {
      throw new IllegalArgumentException("objects are numbered from 0; there is none " + index);
    }
    if (index >= size() && size() != Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "dataset %s has %,d %s, numbered from 0; there is none of the number %,d",
              name(),
              size(),
              size() == 1 ? "object" : "objects",
              index));
    }
  }

  /**
   * @throws IllegalArgumentException in words for the user, if the dataset has not all of them
   */
  default void requireObjects(long first, long count) {
    if (first < 0 || count < 0 || first > Long.MAX_VALUE - count) {
      throw new IllegalArgumentException(
          "objects are numbered from 0; there are none from " + first + " on");
    }
    if (count > 0) {
      requireObject(first);
    }
    if (first + count > size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "dataset %s has %,d %s, numbered from 0; %,d from number %,d on is too many",
              name(),
              size(),
              size() == 1 ? "object" : "objects",
              count,
              first));
    }
  }

  /**
   * How many of the first objects others refer to or add statements to: collections, parents. They
   * have to be in Fedora before any other is sent.
   */
  default long leadingObjects() {
    return 0;
  }

  /** What Fedora is asked to add to other objects once it holds object {@code index}. */
  default List<AddedStatement> additions(long index) {
    return List.of();
  }

  /**
   * Object {@code index} as it is when Fedora holds objects {@code first} to {@code first + count -
   * 1} and all that these add to it.
   */
  default RepositoryObject finished(long index, long first, long count) {
    return object(index);
  }

  /** Namespaces of all PIDs, without the colon. */
  default Set<String> pidNamespaces() {
    String pid = object(0).pid();
    return Set.of(pid.substring(0, pid.indexOf(':')));
  }

  /**
   * What the study that a dataset comes from says of it, by the name of a measure of {@link
   * org.fedometer.datasets.statistics.DatasetStatistics}, or {@code deflation of DATASTREAM}; empty
   * where there is no study.
   */
  default Map<String, String> study() {
    return Map.of();
  }

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

  /**
   * Mean bytes of an object without the FOXML of its properties, metadata and first few
   * datastreams, for the disk preflight; an estimate.
   */
  long meanObjectBytes();

  /**
   * The longest literal that any object of this dataset can carry, in bytes as a triplestore keeps
   * it: see {@link StoredLiteral}. At most the limit that the dataset was opened with.
   */
  int maxLiteralBytes();
}
