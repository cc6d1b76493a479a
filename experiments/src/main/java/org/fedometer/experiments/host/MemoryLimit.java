package org.fedometer.experiments.host;

import java.util.Map;
import java.util.Optional;

/**
 * The maximum memory of this process and its children together. Immutable.
 *
 * @param bytes above 0
 * @param from source of the limit, to be put into a sentence
 */
public record MemoryLimit(long bytes, String from) {

  /** Returns the limit of this host: the lower of its control group's and its memory. */
  public static Optional<MemoryLimit> ofHost() {
    return of(ControlGroup.limits(), HostEnvironment.memoryBytes());
  }

  /**
   * @param memoryBytes of the machine; 0 if not visible
   */
  static Optional<MemoryLimit> of(Map<String, String> limits, long memoryBytes) {
    String group = limits.getOrDefault("memory.limit", "max");
    long groupBytes = group.equals("max") ? Long.MAX_VALUE : Long.parseLong(group);
    if (memoryBytes > 0 && memoryBytes <= groupBytes) {
      return Optional.of(new MemoryLimit(memoryBytes, "this machine"));
    }
    return groupBytes == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(new MemoryLimit(groupBytes, "the control group (container)"));
  }
}
