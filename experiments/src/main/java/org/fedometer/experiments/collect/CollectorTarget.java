package org.fedometer.experiments.collect;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The collector of a job: one that the user names, or that of a store of this host.
 *
 * @param named a collector, or null for the store's own, in the background on loopback
 * @param access to the named one, or to the store's own if it requires a token
 * @param command command line that starts the store's own
 */
public record CollectorTarget(
    Path store, InetSocketAddress named, CollectorAccess access, List<String> command) {

  public CollectorTarget {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(access, "access");
    command = List.copyOf(command);
  }

  public boolean isStoreCollector() {
    return named == null;
  }
}
