package org.fedometer.collector.receive;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.wire.Counted;

/**
 * Counts connections, so that one peer cannot occupy all slots. IPv6 addresses with the same first
 * 64 bits count as one, since they have one owner. On the event loop shared by all connections.
 */
public final class ConnectionCount {
  private static final int NETWORK_BYTES = 8;

  private final int max;
  private final int maxStrangers;
  private final Map<ByteBuffer, Integer> strangers = new HashMap<>();
  private int open;

  /**
   * @param max connections in total
   * @param maxStrangers connections of one address that have not introduced themselves
   */
  public ConnectionCount(int max, int maxStrangers) {
    if (max < 1 || maxStrangers < 1) {
      throw new IllegalArgumentException(
          "Limits are positive: %d connections, %d strangers".formatted(max, maxStrangers));
    }
    this.max = max;
    this.maxStrangers = maxStrangers;
  }

  /** Counts a connection. Returns null, or the reason for the peer why it is refused. */
  public String tryOpen(InetAddress peer) {
    if (isFull()) {
      return "the collector has its maximum of " + max + " connections (--max-connections)";
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

  /** Moves the peer from strangers to known ones; it still counts in total. */
  void introduced(InetAddress peer) {
    strangers.computeIfPresent(network(peer), (any, count) -> count == 1 ? null : count - 1);
  }

  /** Removes a counted connection. */
  public void closed(InetAddress peer, boolean introduced) {
    open--;
    if (!introduced) {
      introduced(peer);
    }
  }

  private boolean isFull() {
    return open >= max;
  }

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
