package org.fedometer.experiments.check;

import java.util.Optional;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.experiments.host.MemoryLimit;
import org.fedometer.profiles.Profile;

/** Checks whether this host has the memory for a profile's heap. Stateless. */
public final class MemoryCheck {

  /**
   * Memory of Fedora's JVM besides its heap (classes, code, threads, buffers), the database, the
   * collector and this command. Not measured: only causes a warning.
   */
  private static final long BESIDE_THE_HEAP_BYTES = 1L << 30;

  private MemoryCheck() {}

  /** Checks for a Fedora that is yet to be created on this host. */
  public static Check of(Profile profile) {
    return of(profile.bytes("heap.maximum"), MemoryLimit.ofHost());
  }

  static Check of(long heapBytes, Optional<MemoryLimit> limit) {
    String name = "memory";
    if (limit.isEmpty()) {
      return Check.unknown(name, "the limit is unknown", "Check that the heap fits the memory.");
    }
    long limitBytes = limit.get().bytes();
    String found =
        "Fedora's heap may take "
            + NumberFormats.bytes(heapBytes)
            + ", and "
            + limit.get().from()
            + " has "
            + NumberFormats.bytes(limitBytes);
    String advice = "Lower the heap with --set heap.maximum=SIZE, or give more memory.";
    if (heapBytes >= limitBytes) {
      return Check.problem(name, found + ": the kernel would kill Fedora", advice);
    }
    return heapBytes + BESIDE_THE_HEAP_BYTES > limitBytes
        ? Check.warning(name, found + ", which leaves little for other memory", advice)
        : Check.ok(name, found);
  }
}
