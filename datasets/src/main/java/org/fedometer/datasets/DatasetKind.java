package org.fedometer.datasets;

import java.util.List;
import java.util.Objects;

/**
 * A dataset of a name, whatever its parameters: what users are told of it, and what they may say.
 *
 * @param name as a user names it
 * @param description what it is, a clause without a full stop
 * @param parameters those that a user may give, the main one first; all else in a record of a run
 *     follows from them
 */
public record DatasetKind(String name, String description, List<Parameter<?>> parameters) {

  /** The page of the documentation that is about all of them. */
  public static final String PAGE = "docs/datasets.md";

  public DatasetKind {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
    parameters = List.copyOf(parameters);
  }

  /** Names of the parameters, the main one first. */
  List<String> keys() {
    return parameters.stream().map(Parameter::name).toList();
  }
}
