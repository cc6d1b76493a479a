package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Addresses a server listens on if given a wildcard address. Skipped if the kernel has no IPv6,
 * even with {@code FEDOMETER_REQUIRE_ALL=1}: no package provides it.
 */
@Timeout(60)
class ListeningFamilyTest {

  @Test
  void allAddressesOfIpv4AreNoneOfIpv6() throws Exception {
    boolean ipv6 = hasIpv6();
    if (!ipv6) {
      System.err.println(
          "SKIPPED ListeningFamilyTest: ::1 cannot be listened on, this kernel has no IPv6 or it is"
              + " switched off; with sysctl net.ipv6.conf.lo.disable_ipv6=0 it may be there");
    }
    assumeThat(ipv6).as("this machine has IPv6").isTrue();
    withServerAt(
        "0.0.0.0",
        port -> {
          connect("127.0.0.1", port);
          assertThatThrownBy(() -> connect("::1", port)).isInstanceOf(IOException.class);
        });
    withServerAt("::1", port -> connect("::1", port));
  }

  private interface AtPort {
    void check(int port) throws IOException;
  }

  private static void withServerAt(String host, AtPort use) throws Exception {
    InetSocketAddress address = new InetSocketAddress(host, 0);
    MultiThreadIoEventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Channel server =
          new ServerBootstrap()
              .group(loops)
              .channelFactory(ListeningFamily.of(address))
              .childHandler(new ChannelInboundHandlerAdapter())
              .bind(address)
              .sync()
              .channel();
      InetSocketAddress bound = (InetSocketAddress) server.localAddress();
      assertThat(bound.getAddress()).isEqualTo(InetAddress.getByName(host));
      use.check(bound.getPort());
    } finally {
      loops.shutdownGracefully().sync();
    }
  }

  private static void connect(String host, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), 10_000);
    }
  }

  private static boolean hasIpv6() {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress("::1", 0));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
