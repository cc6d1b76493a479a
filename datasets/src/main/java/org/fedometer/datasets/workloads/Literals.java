package org.fedometer.datasets.workloads;

/** What all of these datasets say about the literals of their objects. */
final class Literals {

  /** No title or PID of these datasets is longer, with the quotes of its stored form. */
  static final int LONGEST_BYTES = 80;

  private Literals() {}
}
