package org.fedometer.collector.receive;

import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;

/**
 * Server channels that listen where they are told and nowhere else: Java's own take {@code 0.0.0.0}
 * for all addresses of IPv6, too, past a firewall that knows those of IPv4 only. And what is said
 * where they cannot. Stateless.
 */
public final class ListeningFamily {

  private ListeningFamily() {}

  public static ChannelFactory<NioServerSocketChannel> of(InetSocketAddress address) {
    return address.getAddress() instanceof Inet4Address
        ? () -> new NioServerSocketChannel(SelectorProvider.provider(), SocketProtocolFamily.INET)
        : NioServerSocketChannel::new;
  }

  /**
   * @param purpose nothing, or such as {@code " for HTTP"}
   * @throws IOException one sentence: nobody knows the host
   */
  public static void refuseUnresolved(InetSocketAddress address, String purpose)
      throws IOException {
    if (address.isUnresolved()) {
      throw new IOException(
          "Cannot listen on " + address.getHostString() + purpose + ": unknown host");
    }
  }

  /** What to tell the user where an address cannot be had, in one sentence. */
  public static IOException cannotListen(
      InetSocketAddress address, String purpose, Throwable cause) {
    return new IOException(
        "Cannot listen on %s:%d%s: %s; choose an address and a port of this machine that are free"
            .formatted(address.getHostString(), address.getPort(), purpose, cause.getMessage()),
        cause);
  }
}
