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

/** What a collector is told of TLS and of whom to let in. */
class DoorOptionsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--tls-certificate=c.pem | belong together",
        "--tls-key=c.key | belong together",
        "--tls-certificate=c.pem --tls-key=c.key --tls-keystore=k.p12 | give either",
        "--tls-keystore-password-file=p | is for --tls-keystore",
        "--tls-client-ca=ca.pem | is for TLS",
        "--tls-client-optional | is for --tls-client-ca",
        "--tls-keystore=k.p12 | FEDOMETER_KEYSTORE_PASSWORD",
        "--most-connections=0 | --most-connections 0: must be 1 or more",
        "--logs-from=example.org | --logs-from: 'example.org' is no address",
      })
  void whatDoesNotGoTogetherIsSaid(String arguments, String sentence) {
    DoorOptions options = parsed(arguments.split(" "));
    assertThatThrownBy(
            () -> {
              options.tlsOrNull();
              options.doors();
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void aCollectorIsPlainUnlessItIsTold() {
    DoorOptions options = parsed();
    assertThat(options.tlsOrNull()).isNull();
    assertThat(options.doors().strangersAllowed()).isFalse();
    assertThat(options.doors().mostConnections()).isEqualTo(4096);
  }

  @Test
  void whoConnectsMayBeAskedForACertificate() {
    TlsFiles files =
        parsed(
                "--tls-keystore=k.p12",
                "--tls-keystore-password-file=p",
                "--tls-client-ca=ca.pem",
                "--tls-client-optional")
            .tlsOrNull();
    assertThat(files.own().file()).isEqualTo(Path.of("k.p12").toAbsolutePath());
    assertThat(files.clientAuthorities()).isEqualTo(Path.of("ca.pem").toAbsolutePath());
    assertThat(files.requiresCertificates()).isFalse();
  }

  private static DoorOptions parsed(String... arguments) {
    DoorOptions options = new DoorOptions();
    new CommandLine(CommandSpec.create().addMixin("doors", CommandSpec.forAnnotatedObject(options)))
        .parseArgs(arguments);
    return options;
  }
}
