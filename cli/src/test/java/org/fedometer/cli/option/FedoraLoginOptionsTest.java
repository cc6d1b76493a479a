package org.fedometer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

class FedoraLoginOptionsTest {
  private static final URI STACK = URI.create("http://127.0.0.1:8080/fedora");

  @Test
  void thePasswordOfAStackIsForItsAddressOnThisHostAlone() {
    assertThat(FedoraLoginOptions.isAt(STACK, STACK)).isTrue();
    assertThat(isAt("http://localhost:8080/fedora/")).isTrue();
    assertThat(isAt("http://127.0.0.1:8081/fedora")).isFalse();
    assertThat(isAt("http://127.0.0.1:8080/other")).isFalse();
    assertThat(isAt("https://127.0.0.1:8080/fedora")).isFalse();
    assertThat(isAt("http://192.0.2.1:8080/fedora")).isFalse();
  }

  private static boolean isAt(String address) {
    return FedoraLoginOptions.isAt(STACK, URI.create(address));
  }
}
