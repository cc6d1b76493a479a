package org.fedometer.experiments.imported;

/** A file is not what it should be; the message is one sentence for the user. */
public final class UnreadableMeasurementsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnreadableMeasurementsException(String message) {
    super(message);
  }
}
