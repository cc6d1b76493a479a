package org.fedometer.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What reaches a terminal of foreign text, whichever command prints it. */
class TerminalGuardTest {
  private static final String FOREIGN = "{\"message\":\"a\u009b2Jb\u202ec\u2066d\u200fe\"}";
  private static final String SAFE = "{\"message\":\"a\\u009b2Jb\\u202ec\\u2066d\\u200fe\"}";

  /** With the first bytes of what is looked for, again and again. */
  private static final String LETTERS = "Größe 日本語 €‰ … — ” ‹› ∀ é Â© ÂÂ ââ €\u2603 😀";

  @Test
  void c1AndTurnedWritingAreEscapedAndAllElseStays() throws Exception {
    assertThat(whole(FOREIGN)).isEqualTo(SAFE);
    assertThat(whole(LETTERS)).isEqualTo(LETTERS);
    assertThat(whole("\u001b[31mred\u001b[0m\r\n")).isEqualTo("\u001b[31mred\u001b[0m\r\n");
  }

  @Test
  void aCharacterThatComesByteByByteIsTheSame() throws Exception {
    assertThat(byteByByte(FOREIGN + LETTERS)).isEqualTo(SAFE + LETTERS);
  }

  @Test
  void bytesThatAreNoUtf8AreLeftAndHideNothing() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream guard = TerminalGuard.guardedUnpainted(bytes)) {
      guard.write(new byte[] {(byte) 0xE2, (byte) 0xC2, (byte) 0x9B, (byte) 0xE2, 0x1B, 'x'});
    }
    assertThat(bytes.toString(StandardCharsets.ISO_8859_1)).isEqualTo("â\\u009bâ\\u001bx");
  }

  @Test
  void rowsOfAQueryAreNotPainted() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream guard = TerminalGuard.guardedUnpainted(bytes)) {
      guard.write("a,\u001b[2J,\r\tb\n".getBytes(UTF_8));
    }
    assertThat(bytes.toString(UTF_8)).isEqualTo("a,\\u001b[2J,\\u000d\tb\n");
  }

  private static String whole(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = TerminalGuard.guarded(new PrintStream(bytes, true, UTF_8), UTF_8)) {
      out.print(text);
    }
    return bytes.toString(UTF_8);
  }

  private static String byteByByte(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = TerminalGuard.guarded(new PrintStream(bytes, true, UTF_8), UTF_8)) {
      for (byte b : text.getBytes(UTF_8)) {
        out.write(b);
      }
    }
    return bytes.toString(UTF_8);
  }
}
