package org.fedometer.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.fedometer.wire.SafeLine;

/**
 * This process's standard output and error.
 *
 * <p>After {@link #install}, all output on {@link System#out} and {@link System#err} passes through
 * a {@link SafeOutput}, and a failed write to standard output is kept for {@link #exitCode}.
 * Before, as in tests, both are unchanged. Thread-safe.
 */
public final class StandardStreams {
  private static volatile FailureRecordingStream output;
  private static volatile OutputStream errors;

  private StandardStreams() {}

  /** Replaces Java's streams; call once, before anything is printed. */
  public static void install() {
    output = new FailureRecordingStream(new FileOutputStream(FileDescriptor.out));
    errors = new FileOutputStream(FileDescriptor.err);
    System.setOut(safe(output, Terminal.outputCharset()));
    System.setErr(safe(errors, Terminal.errorCharset()));
  }

  private static PrintStream safe(OutputStream target, Charset charset) {
    return new PrintStream(new SafeOutput(target, charset, false), true, charset);
  }

  /** Returns standard output for text of this charset; escapes unsafe characters. */
  public static OutputStream text(Charset charset) {
    return output == null ? System.out : new SafeOutput(output, charset, false);
  }

  /**
   * Returns standard output for text with control sequences, whose foreign parts are escaped
   * already.
   */
  public static OutputStream styled(Charset charset) {
    return output == null
        ? System.out
        : new SafeOutput(output, charset, Boolean.getBoolean("fedometer.colour"));
  }

  /** Returns standard error for the same. */
  public static PrintStream styledErrors() {
    Charset charset = Terminal.errorCharset();
    return errors == null
        ? System.err
        : new PrintStream(new SafeOutput(errors, charset, Terminal.interactive()), true, charset);
  }

  /**
   * Returns standard output for machine-readable data (JSON, CSV, pages) in UTF-8: exact in a file
   * or pipe, escaped on a terminal.
   */
  public static OutputStream data() {
    if (output == null) {
      return System.out;
    }
    return Boolean.getBoolean("fedometer.colour")
        ? new SafeOutput(output, StandardCharsets.UTF_8, false)
        : output;
  }

  /** Returns whether a write to standard output has failed; {@link #exitCode} reports it. */
  public static boolean hasFailed() {
    return output != null && output.failure != null;
  }

  /**
   * Reports a failed write to standard output on standard error. A closed pipe, as of {@code head},
   * is no error.
   *
   * @param code exit code of the command
   * @return that code; {@link ExitCode#DONE_WITH_ERRORS} instead of 0 if output was lost
   */
  public static int exitCode(int code) {
    System.out.flush();
    IOException failure = output == null ? null : output.failure;
    if (failure == null || isClosedPipe(failure)) {
      return code;
    }
    System.err.println(
        "fedometer: standard output could not be written ("
            + SafeLine.of(String.valueOf(failure.getMessage()))
            + "): the output is incomplete");
    return code == ExitCode.DONE ? ExitCode.DONE_WITH_ERRORS : code;
  }

  /** Compares with the system's localized message for a closed pipe. */
  private static boolean isClosedPipe(IOException failure) {
    try {
      Pipe pipe = Pipe.open();
      try (Pipe.SinkChannel sink = pipe.sink()) {
        pipe.source().close();
        sink.write(ByteBuffer.allocate(1));
      }
      return false;
    } catch (IOException closed) {
      return String.valueOf(closed.getMessage()).equals(failure.getMessage());
    }
  }

  /** Keeps the first failure, which {@link PrintStream} drops. */
  private static final class FailureRecordingStream extends FilterOutputStream {
    private volatile IOException failure;

    FailureRecordingStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        }
        throw e;
      }
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    /** Flushes only: others print on the process's stream. */
    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
