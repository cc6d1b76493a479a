package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may send logs without a token, by address; certificates are in LogSendersTlsTest. */
class LogSendersTest {

  @ParameterizedTest
  @CsvSource({
    "any, 192.0.2.7, true",
    "none, 127.0.0.1, false",
    "192.0.2.7, 192.0.2.7, true",
    "192.0.2.7, 192.0.2.8, false",
    "'192.0.2.7,127.0.0.1', 127.0.0.1, true",
    "'192.0.2.7, 127.0.0.1', 127.0.0.1, true",
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "192.0.2.128/25, 192.0.2.129, true",
    "192.0.2.128/25, 192.0.2.127, false",
    "0.0.0.0/0, 203.0.113.9, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "2001:db8::/32, 2001:db8:ffff::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "::1, ::1, true",
    "::ffff:192.0.2.7, 192.0.2.7, true",
  })
  void anAddressIsInTheList(String list, String peer, boolean allowed) throws Exception {
    assertThat(LogSenders.of(list).allow(InetAddress.getByName(peer), null)).isEqualTo(allowed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "example.org",
        "10.0.0",
        "10",
        "dead",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/x",
        "256.0.0.1",
        "::1/129",
        "any,10.0.0.1"
      })
  void whatIsNoAddressIsSaid(String list) {
    assertThatThrownBy(() -> LogSenders.of(list))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("'.*' is no (address|network): .*");
  }

  @Test
  void withoutATokenEverybodyMayWithOneNobody() throws Exception {
    InetAddress peer = InetAddress.getByName("192.0.2.7");
    assertThat(Doors.standard().logSenders(false).allow(peer, null)).isTrue();
    assertThat(Doors.standard().logSenders(true).allow(peer, null)).isFalse();
    Doors named = Doors.standard().withLogSenders(LogSenders.of("192.0.2.0/24"));
    assertThat(named.logSenders(true).allow(peer, null)).isTrue();
    assertThat(named.logSenders(false).allow(InetAddress.getByName("192.0.3.1"), null)).isFalse();
  }
}
