package org.fedometer.cli.option;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.collector.log.LogOutput;
import org.fedometer.collector.log.RotatingFile;
import picocli.CommandLine.Option;

/** Destination of a collector's log. */
public final class LogFileOptions {
  @Option(
      names = "--log-file",
      paramLabel = "FILE",
      description = "File for the log (default: standard error).")
  private Path file;

  @Option(
      names = "--max-log-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "10m",
      description =
          "Size from which on the file becomes FILE.1, that one FILE.2 and so on (default:"
              + " ${DEFAULT-VALUE}).")
  private long maxBytes;

  @Option(
      names = "--max-log-files",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many of these are kept (default: ${DEFAULT-VALUE}).")
  private int maxFiles;

  /**
   * Opens the log, to replace standard error.
   *
   * @throws IOException if the file cannot be written; the message is one sentence
   * @throws IllegalArgumentException if a value is out of range
   */
  public LogOutput open() throws IOException {
    if (maxFiles < 1) {
      throw new IllegalArgumentException("--max-log-files " + maxFiles + ": must be 1 or more");
    }
    if (file == null) {
      return new LogOutput(System.err, Terminal.errorCharset());
    }
    try {
      return new LogOutput(new RotatingFile(file, maxBytes, maxFiles), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IOException("--log-file " + file + " cannot be written: " + e.getMessage(), e);
    }
  }
}
