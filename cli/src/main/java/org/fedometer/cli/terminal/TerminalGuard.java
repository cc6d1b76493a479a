package org.fedometer.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Stands before a terminal that reads UTF-8, behind all that a command prints, JSON and CSV
 * included: the control characters of C1, which some terminals obey as they do ESC, and the marks
 * that turn the direction of writing become escapes such as <code>&#92;u009b</code>. Nothing that
 * Fedometer itself prints has them. What goes to a file or a pipe stays as it is. Not thread-safe;
 * a {@link PrintStream} around it is.
 */
public final class TerminalGuard extends FilterOutputStream {
  /** Of U+0080 to U+009F. */
  private static final int LEADS_C1 = 0xC2;

  /** Of U+2000 to U+2FFF. */
  private static final int LEADS_MARKS = 0xE2;

  private final byte[] held = new byte[2];
  private int heldBytes;

  /** Whether nothing behind it paints, so that ESC and its like are foreign, too. */
  private final boolean unpainted;

  private TerminalGuard(OutputStream terminal, boolean unpainted) {
    super(terminal);
    this.unpainted = unpainted;
  }

  /** Guards standard output and standard error, each if it is such a terminal. */
  public static void install() {
    if (Boolean.getBoolean("fedometer.colour")) {
      System.setOut(guarded(System.out, Terminal.outputCharset()));
    }
    if (Boolean.getBoolean("fedometer.terminal")) {
      System.setErr(guarded(System.err, Terminal.errorCharset()));
    }
  }

  /**
   * For foreign text as it is, such as rows of a query.
   *
   * @param output standard output
   * @return the same where that is no terminal
   */
  public static OutputStream unpainted(OutputStream output) {
    return Boolean.getBoolean("fedometer.colour")
            && Terminal.outputCharset().equals(StandardCharsets.UTF_8)
        ? guardedUnpainted(output)
        : output;
  }

  static OutputStream guardedUnpainted(OutputStream terminal) {
    return new TerminalGuard(terminal, true);
  }

  /** What another encoding has of these characters cannot be told from letters by its bytes. */
  static PrintStream guarded(PrintStream terminal, Charset charset) {
    return charset.equals(StandardCharsets.UTF_8)
        ? new PrintStream(new TerminalGuard(terminal, false), true, charset)
        : terminal;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int plainFrom = offset;
    int end = offset + length;
    for (int i = offset; i < end; i++) {
      int b = bytes[i] & 0xFF;
      if (heldBytes > 0 || b == LEADS_C1 || b == LEADS_MARKS || isForeignControl(b)) {
        out.write(bytes, plainFrom, i - plainFrom);
        take(b);
        plainFrom = i + 1;
      }
    }
    out.write(bytes, plainFrom, end - plainFrom);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** A character may come in pieces. */
  private void take(int b) throws IOException {
    if (heldBytes == 0 && isForeignControl(b)) {
      writeEscape(b);
    } else if (heldBytes == 0) {
      held[heldBytes++] = (byte) b;
    } else if ((held[0] & 0xFF) == LEADS_C1) {
      boolean control = b >= 0x80 && b <= 0x9F;
      letGo(b, control ? b : -1);
    } else if (heldBytes == 1) {
      if (b == 0x80 || b == 0x81) {
        held[heldBytes++] = (byte) b;
      } else {
        letGo(b, -1);
      }
    } else {
      int c = 0x2000 | (held[1] & 0x3F) << 6 | b & 0x3F;
      letGo(b, turnsDirection(c) ? c : -1);
    }
  }

  private boolean isForeignControl(int b) {
    return unpainted && (b < 0x20 || b == 0x7F) && b != '\n' && b != '\t';
  }

  private static boolean turnsDirection(int c) {
    return c == 0x200E || c == 0x200F || c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069;
  }

  /**
   * @param escaped the character to be written as an escape; -1: what is held stays, and the byte
   */
  private void letGo(int b, int escaped) throws IOException {
    int count = heldBytes;
    heldBytes = 0;
    if (escaped >= 0) {
      writeEscape(escaped);
      return;
    }
    out.write(held, 0, count);
    if (b == LEADS_C1 || b == LEADS_MARKS || isForeignControl(b)) {
      take(b);
    } else {
      out.write(b);
    }
  }

  private void writeEscape(int c) throws IOException {
    out.write(String.format("\\u%04x", c).getBytes(StandardCharsets.US_ASCII));
  }
}
