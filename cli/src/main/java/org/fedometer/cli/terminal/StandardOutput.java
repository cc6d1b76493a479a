package org.fedometer.cli.terminal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** What commands print for people and for programs. */
public final class StandardOutput {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private StandardOutput() {}

  /** Text in the locale's encoding. */
  public static void text(String text) {
    Charset charset = Terminal.outputCharset();
    print(text, StandardStreams.text(charset), charset);
  }

  /** The same of text that may have colours, whose foreign parts are escaped already. */
  public static void styled(String text) {
    Charset charset = Terminal.outputCharset();
    print(text, StandardStreams.styled(charset), charset);
  }

  /** A value as JSON, indented. */
  public static void asJson(Object value) throws IOException {
    json(indented(value));
  }

  /**
   * The same to be printed later, without a line end.
   *
   * @throws IOException if there is no JSON of such a value
   */
  public static String indented(Object value) throws IOException {
    return JSON.writeValueAsString(value);
  }

  /** JSON, and what else programs read, is UTF-8 whatever the locale. */
  public static void json(String json) {
    print(json, StandardStreams.data(), StandardCharsets.UTF_8);
  }

  /** For a text that comes in pieces and is UTF-8 whatever the locale; to be flushed. */
  public static PrintStream utf8() {
    return new PrintStream(
        StandardStreams.text(StandardCharsets.UTF_8), false, StandardCharsets.UTF_8);
  }

  /** Prints a value as JSON, or instead what {@code text} prints for people, in UTF-8. */
  public static void jsonOrText(boolean json, Object value, Consumer<PrintStream> text)
      throws IOException {
    if (json) {
      asJson(value);
      return;
    }
    PrintStream out = utf8();
    text.accept(out);
    out.flush();
  }

  /** For a text that comes in pieces, a line at least, in the locale's encoding. */
  public static PrintStream inLocale() {
    Charset charset = Terminal.outputCharset();
    return new PrintStream(StandardStreams.text(charset), true, charset);
  }

  /** For picocli, which paints its help. */
  public static PrintWriter forHelp() {
    Charset charset = Terminal.outputCharset();
    return new PrintWriter(new OutputStreamWriter(StandardStreams.styled(charset), charset), true);
  }

  private static void print(String text, OutputStream target, Charset charset) {
    PrintStream out = new PrintStream(target, true, charset);
    out.print(text.endsWith("\n") ? text : text + "\n");
    out.flush();
  }
}
