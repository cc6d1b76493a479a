package org.fedometer.datasets;

import java.util.List;

/** Thrown if a user gives a parameter that a dataset does not have; the message lists its own. */
public final class UnknownParameterException extends UnknownWordException {

  private static final long serialVersionUID = 1L;

  UnknownParameterException(String dataset, String key, List<String> keys) {
    super(
        "dataset %s has no parameter '%s'; it has: %s"
            .formatted(dataset, key, String.join(", ", keys)),
        key,
        keys);
  }
}
