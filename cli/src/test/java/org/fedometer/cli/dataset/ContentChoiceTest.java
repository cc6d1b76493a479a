package org.fedometer.cli.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.fedometer.driver.content.ContentOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ContentChoiceTest {

  @Test
  void defaultsToOneDocument() {
    assertThat(options()).isEqualTo(ContentOptions.standard());
  }

  @Test
  void parsesAllOptions() {
    ContentOptions options =
        options(
            "--content=redirect",
            "--packaging=datastreams",
            "--checksum=sha-384:by-fedora",
            "--content-server=127.0.0.1:8123");

    assertThat(options.facts().values())
        .containsExactly("redirect", "datastreams", "SHA-384:by-fedora");
    assertThat(options.server().getPort()).isEqualTo(8123);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--content=base64|--content: 'base64' is not a path for content; expected one of",
        "--packaging=x|--packaging: 'x' is not a packaging; expected foxml or datastreams",
        "--checksum=CRC32|--checksum: 'CRC32' is not a checksum; expected none, MD5,",
        "--content=url --content-server=0.0.0.0:1|--content-server: the content server cannot have",
        "--content-server=127.0.0.1:1|--content-server: --content in-request needs",
        "--content=upload --content-server=:1|--content-server: --content up"
      })
  void rejectsInvalidValues(String arguments, String message) {
    assertThatThrownBy(() -> options(arguments.split(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void suggestsASimilarContentPath() {
    assertThatThrownBy(() -> options("--content=ulr"))
        .hasMessageEndingWith(", redirect; perhaps you mean url");
    assertThatThrownBy(() -> options("--packaging=foxm"))
        .hasMessageEndingWith("; perhaps you mean foxml");
    assertThatThrownBy(() -> options("--checksum=SHA256"))
        .hasMessageContaining("; perhaps you mean SHA-256");
  }

  private static ContentOptions options(String... arguments) {
    ContentChoice choice = new ContentChoice();
    new CommandLine(choice).parseArgs(arguments);
    return choice.options();
  }
}
