package org.fedometer.experiments;

import java.net.URI;
import java.util.Set;

/** Whether an address is one of this host, by its name alone. Stateless. */
public final class Loopback {
  private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

  private Loopback() {}

  public static boolean isHostOf(URI address) {
    return address.getHost() != null && HOSTS.contains(address.getHost());
  }
}
