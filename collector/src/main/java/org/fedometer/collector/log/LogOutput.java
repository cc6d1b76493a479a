package org.fedometer.collector.log;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import org.fedometer.wire.SafeLine;

/**
 * Takes the place of standard error in a collector's process. A log line may quote what a stranger
 * has sent, so each line that is printed is one line afterwards, and steers no terminal. A line
 * that cannot be written, since the disk is full, is lost; the next one is tried again. Any thread.
 */
public final class LogOutput extends PrintStream {

  /** Characters that the charset does not have become question marks. */
  public LogOutput(OutputStream target, Charset charset) {
    super(target, true, charset);
  }

  @Override
  public void println(String line) {
    super.println(SafeLine.of(String.valueOf(line)));
  }

  /** A line of a stack trace, which may begin with a tab. */
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
