package org.fedometer.datasets;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Form of an object's PID from its number. The difference is measurable: if a PID's name is a
 * number above the highest so far, Fedora writes that number to its database under a global lock.
 */
public enum PidForm {
  /**
   * {@code ns:WO-42}: a name, as in archives with their own identifiers, such as the study's
   * patents. It measures the ingest and not the PID generator.
   */
  NAMED {
    @Override
    String pid(String namespace, String document, long index) {
      return namespace + ':' + document + '-' + index;
    }
  },
  /** {@code ns:42}: the form of PIDs that Fedora generates. */
  NUMERIC {
    @Override
    String pid(String namespace, String document, long index) {
      return namespace + ':' + index;
    }
  };

  /**
   * @param namespace the namespace without the colon
   * @param document letters and digits that identify the document, not necessarily unique
   * @param index the object's number
   */
  abstract String pid(String namespace, String document, long index);

  /** Returns the name on the command line and in the record of a run. */
  @Override
  public String toString() {
    return Parameters.kebab(this);
  }

  /**
   * @throws IllegalArgumentException if there is none of that name; lists the existing ones
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
