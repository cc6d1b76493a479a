package org.fedometer.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.fedometer.wire.SafeLine;

/**
 * Prevents printed text from controlling the terminal or deceiving its reader. Escapes all that
 * {@link SafeLine} calls unsafe, such as <code>&#92;u001b</code>; line feeds and tabs stay. In JSON
 * such an escape denotes the same character. Not thread-safe; a {@link java.io.PrintStream} around
 * it is.
 */
final class SafeOutput extends FilterOutputStream {
  private static final char ESC = '\u001b';

  private final Charset charset;
  private final CharsetDecoder decoder;

  /** True if the output has control sequences, with foreign text already escaped. */
  private final boolean styled;

  /** Bytes of an incomplete character. */
  private ByteBuffer pending = ByteBuffer.allocate(0);

  /**
   * @param charset of the text; US-ASCII is treated as UTF-8, a superset, since terminals use UTF-8
   *     without a locale
   * @param styled whether ESC and CR stay: for text whose foreign parts are escaped already
   */
  SafeOutput(OutputStream out, Charset charset, boolean styled) {
    super(out);
    this.charset = charset.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : charset;
    this.styled = styled;
    decoder =
        this.charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (pending.remaining() == 0 && isPlain(bytes, offset, length)) {
      out.write(bytes, offset, length);
      return;
    }
    ByteBuffer input = ByteBuffer.allocate(pending.remaining() + length);
    input.put(pending).put(bytes, offset, length).flip();
    CharBuffer text = CharBuffer.allocate(2 * input.remaining() + 2);
    decoder.decode(input, text, false);
    pending = input;
    out.write(safe(text.flip().toString()).getBytes(charset));
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Closes the stream; an incomplete character becomes a question mark. */
  @Override
  public void close() throws IOException {
    if (pending.remaining() > 0) {
      pending = ByteBuffer.allocate(0);
      out.write('?');
    }
    super.close();
  }

  private String safe(String text) {
    if (!styled) {
      return SafeLine.lines(text);
    }
    StringBuilder safe = new StringBuilder(text.length());
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      if (isStyleControl(text.charAt(i))) {
        safe.append(SafeLine.lines(text.substring(from, i))).append(text.charAt(i));
        from = i + 1;
      }
    }
    return safe.append(SafeLine.lines(text.substring(from))).toString();
  }

  private boolean isPlain(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      byte b = bytes[i];
      boolean plain = b >= ' ' && b <= '~' || b == '\n' || b == '\t';
      if (!plain && !(styled && isStyleControl((char) b))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isStyleControl(char c) {
    return c == ESC || c == '\r';
  }
}
