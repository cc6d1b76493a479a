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
      description = "Log file (default: standard error).")
  private Path file;

  @Option(
      names = "--max-log-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "10m",
      description = "Size at which the log file is rotated to FILE.1 (default: ${DEFAULT-VALUE}).")
  private long maxBytes;

  @Option(
      names = "--max-log-files",
      paramLabel = "N",
      defaultValue = "5",
      description = "Number of rotated files to keep (default: ${DEFAULT-VALUE}).")
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
