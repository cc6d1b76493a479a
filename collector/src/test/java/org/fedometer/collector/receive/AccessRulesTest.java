package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.fedometer.wire.tls.TlsKey;
import org.junit.jupiter.api.Test;

/** Where a collector listens at all. */
class AccessRulesTest {
  private static final InetSocketAddress EVERYWHERE = new InetSocketAddress("0.0.0.0", 4711);
  private static final TlsKey KEY = TlsKey.ofPemFiles(Path.of("c.pem"), Path.of("c.key"));
  private static final TlsFiles TLS = new TlsFiles(KEY, null, false);
  private static final TlsFiles MUTUAL = new TlsFiles(KEY, Path.of("clients.pem"), false);
  private static final TlsFiles OPTIONAL = new TlsFiles(KEY, Path.of("clients.pem"), true);

  @Test
  void loopbackNeedsNoToken() {
    for (String host : new String[] {"127.0.0.1", "127.1.2.3", "::1", "localhost"}) {
      AccessRules.defaults().check("--listen", new InetSocketAddress(host, 4711), null, false);
    }
  }

  @Test
  void requiresTokenAndTlsBeyondLoopback() {
    AccessRules.defaults().check("--listen", EVERYWHERE, TLS, true);
    AccessRules.defaults().check("--listen", EVERYWHERE, MUTUAL, false);
    AccessRules.defaults().withStrangersAllowed(true).check("--listen", EVERYWHERE, null, false);
    assertRefused(null, false);
    assertRefused(null, true);
    assertRefused(TLS, false);
    assertRefused(OPTIONAL, false);
  }

  private static void assertRefused(TlsFiles tls, boolean token) {
    assertThatThrownBy(() -> AccessRules.defaults().check("--listen", EVERYWHERE, tls, token))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--listen 0.0.0.0:4711 ")
        .hasMessageEndingWith("or listen on 127.0.0.1:4711, or give --insecure")
        .satisfies(
            e -> {
              assertThat(e.getMessage().contains("--tls-certificate")).isEqualTo(tls == null);
              assertThat(e.getMessage().contains("--token-file")).isEqualTo(!token);
            });
  }
}
