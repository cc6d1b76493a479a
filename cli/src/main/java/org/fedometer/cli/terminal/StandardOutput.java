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

/** Prints commands' output. */
public final class StandardOutput {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private StandardOutput() {}

  /** Prints text in the locale's encoding. */
  public static void text(String text) {
    Charset charset = Terminal.outputCharset();
    print(text, StandardStreams.text(charset), charset);
  }

  /** Prints text with colors, whose foreign parts are escaped already. */
  public static void styled(String text) {
    Charset charset = Terminal.outputCharset();
    print(text, StandardStreams.styled(charset), charset);
  }

  /** Prints a value as indented JSON. */
  public static void asJson(Object value) throws IOException {
    json(indented(value));
  }

  /**
   * Returns indented JSON without a line end.
   *
   * @throws IOException if the value cannot be converted
   */
  public static String indented(Object value) throws IOException {
    return JSON.writeValueAsString(value);
  }

  /** Prints JSON or other machine-readable text, in UTF-8 for any locale. */
  public static void json(String json) {
    print(json, StandardStreams.data(), StandardCharsets.UTF_8);
  }

  /** Returns a stream in UTF-8 for any locale; the caller flushes it. */
  public static PrintStream utf8() {
    return new PrintStream(
        StandardStreams.text(StandardCharsets.UTF_8), false, StandardCharsets.UTF_8);
  }

  /** Prints a value as JSON, or what {@code text} prints instead, in UTF-8. */
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

  /** Returns a stream in the locale's encoding, flushed at each line. */
  public static PrintStream inLocale() {
    Charset charset = Terminal.outputCharset();
    return new PrintStream(StandardStreams.text(charset), true, charset);
  }

  /** Returns a writer for picocli's colored help. */
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
