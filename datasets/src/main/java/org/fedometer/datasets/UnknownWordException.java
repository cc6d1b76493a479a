package org.fedometer.datasets;

import java.util.List;

/** Thrown if a user gives an unknown name; the message lists the known ones. */
public abstract class UnknownWordException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String word;
  private final transient List<String> known;

  UnknownWordException(String message, String word, List<String> known) {
    super(message);
    this.word = word;
    this.known = List.copyOf(known);
  }

  public String word() {
    return word;
  }

  public List<String> known() {
    return known == null ? List.of() : known;
  }
}
