package org.fedometer.cli.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.fedometer.collector.receive.TlsFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A collector's options of TLS and access. */
class ListenerOptionsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--tls-certificate=c.pem | belong together",
        "--tls-key=c.key | belong together",
        "--tls-certificate=c.pem --tls-key=c.key --tls-keystore=k.p12 | give either",
        "--tls-keystore-password-file=p | needs --tls-keystore",
        "--tls-client-ca=ca.pem | needs TLS",
        "--tls-client-optional | needs --tls-client-ca",
        "--tls-keystore=k.p12 | FEDOMETER_KEYSTORE_PASSWORD",
        "--max-connections=0 | --max-connections 0: must be 1 or more",
        "--log-senders=example.org | --log-senders: 'example.org' is not an address",
      })
  void rejectsConflictingOptions(String arguments, String message) {
    ListenerOptions options = parsed(arguments.split(" "));
    assertThatThrownBy(
            () -> {
              options.tlsOrNull();
              options.listeners();
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void isPlainByDefault() {
    ListenerOptions options = parsed();
    assertThat(options.tlsOrNull()).isNull();
    assertThat(options.listeners().strangersAllowed()).isFalse();
    assertThat(options.listeners().maxConnections()).isEqualTo(4096);
  }

  @Test
  void clientsMayNeedACertificate() {
    TlsFiles files =
        parsed(
                "--tls-keystore=k.p12",
                "--tls-keystore-password-file=p",
                "--tls-client-ca=ca.pem",
                "--tls-client-optional")
            .tlsOrNull();
    assertThat(files.key().file()).isEqualTo(Path.of("k.p12").toAbsolutePath());
    assertThat(files.clientAuthorities()).isEqualTo(Path.of("ca.pem").toAbsolutePath());
    assertThat(files.requiresCertificates()).isFalse();
  }

  private static ListenerOptions parsed(String... arguments) {
    ListenerOptions options = new ListenerOptions();
    new CommandLine(CommandSpec.create().addMixin("doors", CommandSpec.forAnnotatedObject(options)))
        .parseArgs(arguments);
    return options;
  }
}
