package org.fedometer.collector.receive;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.wire.Counted;

/**
 * Counts connections, so that one peer cannot take the places of all others. Of IPv6, addresses
 * with the same first 64 bits count as one: whoever has one of them has them all. On the event loop
 * that all connections share.
 */
public final class ConnectionCount {
  private static final int NETWORK_BYTES = 8;

  private final int max;
  private final int maxStrangers;
  private final Map<ByteBuffer, Integer> strangers = new HashMap<>();
  private int open;

  /**
   * @param max connections altogether
   * @param maxStrangers of one address, of those that have not introduced themselves yet
   */
  public ConnectionCount(int max, int maxStrangers) {
    if (max < 1 || maxStrangers < 1) {
      throw new IllegalArgumentException(
          "Limits are positive: %d connections, %d strangers".formatted(max, maxStrangers));
    }
    this.max = max;
    this.maxStrangers = maxStrangers;
  }

  /** Why another connection cannot be taken, in words for the peer; null if it was counted. */
  public String tryOpen(InetAddress peer) {
    if (isFull()) {
      return "the collector has " + max + " connections, and takes no more (--max-connections)";
    }
    ByteBuffer network = network(peer);
    int here = strangers.getOrDefault(network, 0);
    if (here >= maxStrangers) {
      return Counted.of(
          here,
          "connection from this address has not introduced itself yet",
          "connections from this address have not introduced themselves yet");
    }
    strangers.put(network, here + 1);
    open++;
    return null;
  }

  /** The peer is known: it counts among all, and no longer among the strangers. */
  void introduced(InetAddress peer) {
    strangers.computeIfPresent(network(peer), (any, count) -> count == 1 ? null : count - 1);
  }

  /** A counted connection is closed. */
  public void closed(InetAddress peer, boolean introduced) {
    open--;
    if (!introduced) {
      introduced(peer);
    }
  }

  private boolean isFull() {
    return open >= max;
  }

  /** Whether another one of this address is refused however few others there are. */
  public boolean isAtLimit(InetAddress peer) {
    return strangers.getOrDefault(network(peer), 0) >= maxStrangers;
  }

  public static boolean areSameNetwork(InetAddress one, InetAddress other) {
    return network(one).equals(network(other));
  }

  int open() {
    return open;
  }

  private static ByteBuffer network(InetAddress peer) {
    byte[] address = peer.getAddress();
    return ByteBuffer.wrap(
        peer instanceof Inet6Address ? Arrays.copyOf(address, NETWORK_BYTES) : address);
  }
}
