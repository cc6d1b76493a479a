package org.fedometer.datasets.foxml;

/** Says in one clause, fit to follow a file's name, why a file cannot be sent to Fedora. */
final class UnusableFoxmlException extends Exception {

  private static final long serialVersionUID = 1L;

  UnusableFoxmlException(String message) {
    super(message);
  }
}
