package org.fedometer.experiments.imported;

/** Thrown for an invalid file; the message is one sentence for the user. */
public final class UnreadableMeasurementsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnreadableMeasurementsException(String message) {
    super(message);
  }
}
