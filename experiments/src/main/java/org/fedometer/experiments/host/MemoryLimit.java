package org.fedometer.experiments.host;

import java.util.Map;
import java.util.Optional;

/**
 * The most memory that this process and what it starts may use together. Immutable.
 *
 * @param bytes above 0
 * @param from what sets it, to be put into a sentence
 */
public record MemoryLimit(long bytes, String from) {

  /** The limit of this host: its control group's or its whole memory, whichever is less. */
  public static Optional<MemoryLimit> ofHost() {
    return of(ControlGroup.limits(), HostEnvironment.memoryBytes());
  }

  /**
   * @param memoryBytes of the machine; 0 where it is not seen
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
