package org.fedometer.experiments.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ThisHostTest {

  @Test
  void loopbackIsThisHostByNameAndByAddress() {
    for (String host : new String[] {"localhost", "127.0.0.1", "[::1]"}) {
      URI fedora = URI.create("http://" + host + ":8080/fedora");
      assertThat(ThisHost.isNamedBy(fedora)).as(host).isTrue();
    }
    assertThat(ThisHost.isResolvedFrom(URI.create("http://127.0.0.1:8080/fedora"))).isTrue();
  }

  @Test
  void doesNotSendAPasswordToANetworkAddressOfThisHost() throws Exception {
    Optional<InetAddress> own =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address.getAddress().length == 4 && !address.isLoopbackAddress())
            .findFirst();
    // An address is given by a network and not installed: no failure where all is required.
    assumeTrue(
        own.isPresent(), "SKIPPED: this host is in no network, it has loopback's addresses alone");
    URI fedora = URI.create("http://" + own.get().getHostAddress() + ":8080/fedora");

    assertThat(ThisHost.isResolvedFrom(fedora)).isTrue();
    assertThat(ThisHost.isNamedBy(fedora)).isFalse();
  }

  @Test
  void anotherHostIsNeither() {
    // A network reserved for documentation.
    URI elsewhere = URI.create("http://192.0.2.1:8080/fedora");

    assertThat(ThisHost.isNamedBy(elsewhere)).isFalse();
    assertThat(ThisHost.isResolvedFrom(elsewhere)).isFalse();
  }
}
