package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** How many connections there may be, of all peers and of one. */
class ConnectionCountTest {

  @Test
  void limitsUnidentifiedConnectionsPerAddress() throws Exception {
    ConnectionCount count = new ConnectionCount(10, 2);
    for (int i = 0; i < 5; i++) {
      assertThat(count.tryOpen(peer("192.0.2.7"))).isNull();
      count.introduced(peer("192.0.2.7"));
    }
    assertThat(count.tryOpen(peer("192.0.2.7"))).isNull();
    assertThat(count.tryOpen(peer("192.0.2.7"))).isNull();
    assertThat(count.tryOpen(peer("192.0.2.7"))).contains("2 connections from this address");
    assertThat(count.tryOpen(peer("192.0.2.8"))).isNull();

    count.closed(peer("192.0.2.7"), false);
    assertThat(count.tryOpen(peer("192.0.2.7"))).isNull();
    assertThat(count.open()).isEqualTo(8);
  }

  @Test
  void limitsAllConnections() throws Exception {
    ConnectionCount count = new ConnectionCount(2, 2);
    assertThat(count.tryOpen(peer("192.0.2.1"))).isNull();
    count.introduced(peer("192.0.2.1"));
    assertThat(count.tryOpen(peer("192.0.2.2"))).isNull();
    assertThat(count.tryOpen(peer("192.0.2.3"))).contains("--max-connections");
    count.closed(peer("192.0.2.1"), true);
    assertThat(count.tryOpen(peer("192.0.2.3"))).isNull();
  }

  @Test
  void ofIpv6ANetworkCountsAsOneAddress() throws Exception {
    ConnectionCount count = new ConnectionCount(10, 2);
    assertThat(count.tryOpen(peer("2001:db8::1"))).isNull();
    assertThat(count.isAtLimit(peer("2001:db8::2"))).isFalse();
    assertThat(count.tryOpen(peer("2001:db8::ffff:2"))).isNull();
    assertThat(count.isAtLimit(peer("2001:db8::2"))).isTrue();
    assertThat(count.isAtLimit(peer("2001:db8:0:1::1"))).isFalse();
    assertThat(ConnectionCount.areSameNetwork(peer("2001:db8::1"), peer("2001:db8::ffff:2")))
        .isTrue();
    assertThat(ConnectionCount.areSameNetwork(peer("2001:db8::1"), peer("192.0.2.1"))).isFalse();
    assertThat(count.tryOpen(peer("2001:db8::3"))).isNotNull();
    assertThat(count.tryOpen(peer("2001:db8:0:1::1"))).isNull();
  }

  private static InetAddress peer(String address) throws UnknownHostException {
    return InetAddress.getByName(address);
  }
}
