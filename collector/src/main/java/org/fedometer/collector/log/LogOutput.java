package org.fedometer.collector.log;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import org.fedometer.wire.SafeLine;

/**
 * Replaces standard error in a collector process.
 *
 * <p>Log lines may quote foreign data. Each printed line becomes exactly one line without terminal
 * control characters. A line that cannot be written, as on a full disk, is lost; the next is tried
 * again. Any thread.
 */
public final class LogOutput extends PrintStream {

  /** Creates the output; question marks replace characters outside the charset. */
  public LogOutput(OutputStream target, Charset charset) {
    super(target, true, charset);
  }

  @Override
  public void println(String line) {
    super.println(SafeLine.of(String.valueOf(line)));
  }

  /** Prints a line of a stack trace, which may begin with tabs. */
  @Override
  public void println(Object line) {
    String text = String.valueOf(line);
    int tabs = 0;
    while (tabs < text.length() && text.charAt(tabs) == '\t') {
      tabs++;
    }
    super.println(text.substring(0, tabs) + SafeLine.of(text.substring(tabs)));
  }
}
