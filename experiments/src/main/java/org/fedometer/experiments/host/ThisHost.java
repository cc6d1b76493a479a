package org.fedometer.experiments.host;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Set;

/** Tests whether an address is of this host. Stateless. */
public final class ThisHost {
  private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private ThisHost() {}

  /**
   * Returns whether the name alone denotes this host, so that no resolver decides where a password
   * is sent.
   */
  public static boolean isNamedBy(URI address) {
    return address.getHost() != null && NAMES.contains(address.getHost());
  }

  /**
   * Returns whether the name resolves to this host, possibly slowly; for facts visible on this
   * host.
   */
  public static boolean isResolvedFrom(URI address) {
    if (address.getHost() == null) {
      return false;
    }
    try {
      InetAddress resolved = InetAddress.getByName(address.getHost());
      return resolved.isLoopbackAddress() || NetworkInterface.getByInetAddress(resolved) != null;
    } catch (UnknownHostException | SocketException e) {
      return false;
    }
  }
}
