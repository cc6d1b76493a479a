package org.fedometer.datasets;

import java.util.List;
import java.util.Objects;

/**
 * A named kind of dataset, independent of parameter values.
 *
 * @param description a clause without a full stop
 * @param parameters the parameters for users, the main one first; everything else in a run's record
 *     follows from them
 */
public record DatasetKind(String name, String description, List<Parameter<?>> parameters) {

  public static final String PAGE = "docs/datasets.md";

  public DatasetKind {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
    parameters = List.copyOf(parameters);
  }

  /** Returns the parameters' names, the main one first. */
  List<String> keys() {
    return parameters.stream().map(Parameter::name).toList();
  }
}
