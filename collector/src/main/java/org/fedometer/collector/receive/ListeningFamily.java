package org.fedometer.collector.receive;

import io.netty.channel.ChannelFactory;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;

/**
 * Server channels that listen where they are told and nowhere else: Java's own take {@code 0.0.0.0}
 * for all addresses of IPv6, too, past a firewall that knows those of IPv4 only. Stateless.
 */
public final class ListeningFamily {

  private ListeningFamily() {}

  /** Makes channels to be bound to that address. */
  public static ChannelFactory<NioServerSocketChannel> of(InetSocketAddress address) {
    return address.getAddress() instanceof Inet4Address
        ? () -> new NioServerSocketChannel(SelectorProvider.provider(), SocketProtocolFamily.INET)
        : NioServerSocketChannel::new;
  }
}
