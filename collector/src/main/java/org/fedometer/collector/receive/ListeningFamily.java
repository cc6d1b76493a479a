package org.fedometer.collector.receive;

import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;

/**
 * Server channels that listen on exactly the given address family, and messages for failures.
 * Java's own channels also bind IPv6 for {@code 0.0.0.0}, which would bypass an IPv4-only firewall.
 * Stateless.
 */
public final class ListeningFamily {

  private ListeningFamily() {}

  public static ChannelFactory<NioServerSocketChannel> of(InetSocketAddress address) {
    return address.getAddress() instanceof Inet4Address
        ? () -> new NioServerSocketChannel(SelectorProvider.provider(), SocketProtocolFamily.INET)
        : NioServerSocketChannel::new;
  }

  /**
   * @param purpose empty, or such as {@code " for HTTP"}
   * @throws IOException if the host is unknown; the message is one sentence
   */
  public static void refuseUnresolved(InetSocketAddress address, String purpose)
      throws IOException {
    if (address.isUnresolved()) {
      throw new IOException(
          "Cannot listen on " + address.getHostString() + purpose + ": unknown host");
    }
  }

  /** Returns an exception for an unavailable address, with a message of one sentence. */
  public static IOException cannotListen(
      InetSocketAddress address, String purpose, Throwable cause) {
    return new IOException(
        "Cannot listen on %s:%d%s: %s; choose an address and a port of this machine that are free"
            .formatted(address.getHostString(), address.getPort(), purpose, cause.getMessage()),
        cause);
  }
}
