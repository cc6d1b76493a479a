package org.fedometer.datasets.workloads;

import org.fedometer.datasets.Dataset;

/** What all of these datasets say about the numbers of their objects. */
final class ObjectNumbers {

  /** No title or PID of these datasets is longer, with the quotes of its stored form. */
  static final int LONGEST_LITERAL_BYTES = 80;

  private ObjectNumbers() {}

  /**
   * @throws IllegalArgumentException if the dataset has no such object
   */
  static void check(Dataset dataset, long index) {
    if (index < 0 || index >= dataset.size()) {
      throw new IllegalArgumentException(
          "dataset %s has no object %d".formatted(dataset.name(), index));
    }
  }
}
