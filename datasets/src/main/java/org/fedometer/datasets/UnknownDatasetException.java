package org.fedometer.datasets;

import java.util.List;

/** Thrown if a user names a dataset that does not exist; the message lists the existing ones. */
public final class UnknownDatasetException extends UnknownWordException {

  private static final long serialVersionUID = 1L;

  public UnknownDatasetException(String name, List<String> existing) {
    super(
        "there is no dataset '" + name + "'; there are: " + String.join(", ", existing),
        name,
        existing);
  }
}
