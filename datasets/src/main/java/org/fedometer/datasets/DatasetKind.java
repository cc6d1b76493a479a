package org.fedometer.datasets;

import java.util.List;
import java.util.Objects;

/**
 * A dataset of a name, whatever its parameters.
 *
 * @param description a clause without a full stop
 * @param parameters those that a user may give, the main one first; all else in a record of a run
 *     follows from them
 */
public record DatasetKind(String name, String description, List<Parameter<?>> parameters) {

  public static final String PAGE = "docs/datasets.md";

  public DatasetKind {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
    parameters = List.copyOf(parameters);
  }

  /** The main one first. */
  List<String> keys() {
    return parameters.stream().map(Parameter::name).toList();
  }
}
