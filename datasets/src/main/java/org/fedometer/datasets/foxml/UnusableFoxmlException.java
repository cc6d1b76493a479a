package org.fedometer.datasets.foxml;

/** Gives one clause, to follow a file's name, that explains why a file cannot be sent to Fedora. */
final class UnusableFoxmlException extends Exception {

  private static final long serialVersionUID = 1L;

  UnusableFoxmlException(String message) {
    super(message);
  }
}
