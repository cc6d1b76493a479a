package org.fedometer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.cli.Main;
import org.fedometer.experiments.collect.CollectorAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Options to access a collector: {@code --token-file}, {@code --tls...}. */
class AccessOptionsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "report",
        "runs list",
        "runs query",
        "runs trace",
        "runs logs",
        "runs fetch",
        "run",
        "stack up"
      })
  void everyCommandWithACollectorAcceptsThem(String command) {
    CommandLine called = Main.commandLine();
    for (String word : command.split(" ")) {
      called = called.getSubcommands().get(word);
    }
    CommandSpec spec = called.getCommandSpec();
    assertThat(spec.optionsMap())
        .containsKeys("--token-file", "--tls", "--tls-ca", "--tls-certificate", "--tls-key");
  }

  @Test
  void aTokenIsReadFromItsFile() throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "open sesame\n");
    CollectorAccess access = parsed("--token-file", file.toString()).access();
    assertThat(access.token()).isEqualTo("open sesame");
    assertThat(access.tlsOrNull()).isNull();
  }

  @Test
  void aTokensFileThatIsNoTextIsNamed() throws Exception {
    Path file = Files.write(folder.resolve("token"), new byte[] {'k', (byte) 0xFC});
    AccessOptions options = parsed("--token-file", file.toString());
    assertThatThrownBy(options::access)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--token-file " + file + " is not UTF-8");
  }

  @Test
  void tlsTrustsTheJvmOrAFile() {
    assertThat(parsed("--tls").access().tlsOrNull().fileOrNull()).isNull();
    Path none = folder.resolve("none.pem");
    AccessOptions options = parsed("--tls-ca", none.toString());
    assertThatThrownBy(options::access)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--tls-ca: " + none + " cannot be read: it does not exist");
  }

  @Test
  void tlsIsRefusedWhereNoCollectorIsNamed() {
    for (List<String> arguments :
        List.of(List.of("--tls"), List.of("--tls-ca", "x"), List.of("--tls-certificate", "x"))) {
      AccessOptions options = parsed(arguments.toArray(String[]::new));
      assertThatThrownBy(() -> options.rejectTls("--collector"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(arguments.get(0) + " needs a remote collector")
          .hasMessageContaining("--collector H:P");
    }
    parsed().rejectTls("--collector");
  }

  @Test
  void aCertificateIsShownWithItsKeyAndByTlsOnly() {
    for (List<String> arguments :
        List.of(
            List.of("--tls", "--tls-certificate", "c.pem"),
            List.of("--tls", "--tls-key", "c.key"))) {
      AccessOptions half = parsed(arguments.toArray(String[]::new));
      assertThatThrownBy(half::access)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("belong together");
    }
    AccessOptions plain = parsed("--tls-certificate", "c.pem", "--tls-key", "c.key");
    assertThatThrownBy(plain::access)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give --tls-ca FILE or --tls");
    AccessOptions absent = parsed("--tls", "--tls-certificate", "none", "--tls-key", "c.key");
    assertThatThrownBy(absent::access)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--tls-certificate: ")
        .hasMessageEndingWith("none cannot be read: it does not exist");
  }

  private static AccessOptions parsed(String... arguments) {
    AccessOptions options = new AccessOptions();
    new CommandLine(
            CommandSpec.create().addMixin("access", CommandSpec.forAnnotatedObject(options)))
        .parseArgs(arguments);
    return options;
  }
}
