package org.fedometer.cli.terminal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** What commands print for people and for programs. */
public final class StandardOutput {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private StandardOutput() {}

  /** Text in the locale's encoding. */
  public static void text(String text) {
    print(text, Terminal.outputCharset());
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

  /** JSON is UTF-8 whatever the locale: programs read it. */
  public static void json(String json) {
    print(json, StandardCharsets.UTF_8);
  }

  /** For a text that comes in pieces and is UTF-8 whatever the locale; to be flushed. */
  public static PrintStream utf8() {
    return new PrintStream(System.out, false, StandardCharsets.UTF_8);
  }

  /** For a text that comes in pieces, a line at least, in the locale's encoding. */
  public static PrintStream inLocale() {
    return new PrintStream(System.out, true, Terminal.outputCharset());
  }

  private static void print(String text, Charset charset) {
    PrintStream out = new PrintStream(System.out, true, charset);
    out.print(text.endsWith("\n") ? text : text + "\n");
    out.flush();
  }
}
