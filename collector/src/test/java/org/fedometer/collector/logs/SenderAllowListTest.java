package org.fedometer.collector.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.fedometer.collector.receive.AccessRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Senders whose logs are accepted without a token, by address; certificates are in LogAccessTest.
 */
class SenderAllowListTest {

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
    assertThat(allows(SenderAllowList.of(list), peer)).isEqualTo(allowed);
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
  void rejectsInvalidAddresses(String list) {
    assertThatThrownBy(() -> SenderAllowList.of(list))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("'.*' is not an? (address|network): .*");
  }

  @Test
  void defaultDependsOnTheToken() throws Exception {
    assertThat(allows(AccessRules.defaults().logSenders(false), "192.0.2.7")).isTrue();
    assertThat(allows(AccessRules.defaults().logSenders(true), "192.0.2.7")).isFalse();
    AccessRules named = AccessRules.defaults().withLogSenders(SenderAllowList.of("192.0.2.0/24"));
    assertThat(allows(named.logSenders(true), "192.0.2.7")).isTrue();
    assertThat(allows(named.logSenders(false), "192.0.3.1")).isFalse();
  }

  private static boolean allows(LogSenders senders, String peer) throws Exception {
    return senders.refusal(new InetSocketAddress(InetAddress.getByName(peer), 4711), null) == null;
  }
}
