package org.fedometer.datasets;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * How an object's PID comes from its number. The difference can be measured: for a PID whose name
 * is a number above the highest seen, Fedora writes that number to its database under a global
 * lock.
 */
public enum PidForm {
  /**
   * {@code ns:WO-42}: a name, as archives have that bring their own identifiers, the study's
   * patents among them. It measures the ingest and not the PID generator.
   */
  NAMED {
    @Override
    String pid(String namespace, String document, long index) {
      return namespace + ':' + document + '-' + index;
    }
  },
  /** {@code ns:42}: the form of PIDs that Fedora makes itself. */
  NUMERIC {
    @Override
    String pid(String namespace, String document, long index) {
      return namespace + ':' + index;
    }
  };

  /**
   * @param namespace without the colon
   * @param document letters and digits that say which document it is; not unique
   * @param index the object's number
   */
  abstract String pid(String namespace, String document, long index);

  /** As on the command line and in the record of a run. */
  @Override
  public String toString() {
    return Parameters.kebab(this);
  }

  /**
   * @throws IllegalArgumentException if there is none of that name; lists what exists
   */
  public static PidForm named(String name) {
    return Arrays.stream(values())
        .filter(form -> form.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "PIDs cannot be '%s'; they can be: %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(PidForm::toString)
                                .collect(Collectors.joining(", ")))));
  }
}
