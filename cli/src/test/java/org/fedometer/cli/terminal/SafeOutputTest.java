package org.fedometer.cli.terminal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Foreign text in the output of any command. */
class SafeOutputTest {
  private static final String FOREIGN =
      "\u001b]0;title\u0007\u001b[31mred\rbad {\"a\u009b2Jb\u202ec\u2066d\u200fe\u200bf\ufeff\"}\n";
  private static final String SAFE =
      "\\u001b]0;title\\u0007\\u001b[31mred\\rbad"
          + " {\"a\\u009b2Jb\\u202ec\\u2066d\\u200fe\\u200bf\\ufeff\"}\n";

  private static final String LETTERS = "Größe\t日本語 €‰ … — ” ‹› ∀ é Â© ÂÂ ââ €\u2603 😀\n";

  @Test
  void escapesControlAndBidiCharacters() throws Exception {
    assertThat(complete(FOREIGN, UTF_8, false)).isEqualTo(SAFE);
    assertThat(complete(LETTERS, UTF_8, false)).isEqualTo(LETTERS);
  }

  @Test
  void aCharacterThatComesByteByByteIsTheSame() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream safe = new SafeOutput(bytes, UTF_8, false)) {
      for (byte b : (FOREIGN + LETTERS).getBytes(UTF_8)) {
        safe.write(b);
      }
    }
    assertThat(bytes.toString(UTF_8)).isEqualTo(SAFE + LETTERS);
  }

  @Test
  void styledOutputKeepsStyleControlsOnly() throws Exception {
    assertThat(complete("\r\u001b[31mred\u001b[0m \u0007\u009b\u202eü\n", UTF_8, true))
        .isEqualTo("\r\u001b[31mred\u001b[0m \\u0007\\u009b\\u202eü\n");
  }

  @Test
  void otherEncodingsAreReadAsWhatTheyAre() throws Exception {
    assertThat(complete("ä\u009b2J\n", ISO_8859_1, false)).isEqualTo("ä\\u009b2J\n");
    // Where no locale is set, JSON comes as UTF-8, and the terminal reads it so.
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream safe = new SafeOutput(bytes, StandardCharsets.US_ASCII, false)) {
      safe.write("ä\u009b".getBytes(UTF_8));
    }
    assertThat(bytes.toString(UTF_8)).isEqualTo("ä\\u009b");
  }

  @Test
  void replacesMalformedBytes() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream safe = new SafeOutput(bytes, UTF_8, false)) {
      safe.write(new byte[] {(byte) 0xE2, (byte) 0xC2, (byte) 0x9B, (byte) 0xE2, 0x1B, 'x'});
      safe.write(0xE2);
    }
    assertThat(bytes.toString(UTF_8)).isEqualTo("\uFFFD\\u009b\uFFFD\\u001bx?");
  }

  private static String complete(String text, Charset charset, boolean painted) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream safe = new SafeOutput(bytes, charset, painted)) {
      safe.write(text.getBytes(charset));
    }
    return bytes.toString(charset);
  }
}
