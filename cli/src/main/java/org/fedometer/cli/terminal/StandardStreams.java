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
 * Standard output and standard error of this process. After {@link #install} all that is printed on
 * {@link System#out} and {@link System#err} passes through a {@link SafeOutput}, wherever it goes,
 * and a failed write to standard output is kept for {@link #exitCode}. Before, as in tests, both
 * are as they are. Safe for use by several threads.
 */
public final class StandardStreams {
  private static volatile FailureRecordingStream output;
  private static volatile OutputStream errors;

  private StandardStreams() {}

  /** Takes the place of Java's own streams; once, before anything is printed. */
  public static void install() {
    output = new FailureRecordingStream(new FileOutputStream(FileDescriptor.out));
    errors = new FileOutputStream(FileDescriptor.err);
    System.setOut(safe(output, Terminal.outputCharset()));
    System.setErr(safe(errors, Terminal.errorCharset()));
  }

  private static PrintStream safe(OutputStream target, Charset charset) {
    return new PrintStream(new SafeOutput(target, charset, false), true, charset);
  }

  /** Standard output for text of this charset, which is escaped where it is not harmless. */
  public static OutputStream text(Charset charset) {
    return output == null ? System.out : new SafeOutput(output, charset, false);
  }

  /**
   * Standard output for text that paints, or draws on the screen, and has its foreign parts escaped
   * already.
   */
  public static OutputStream styled(Charset charset) {
    return output == null
        ? System.out
        : new SafeOutput(output, charset, Boolean.getBoolean("fedometer.colour"));
  }

  /** Standard error for the same. */
  public static PrintStream styledErrors() {
    Charset charset = Terminal.errorCharset();
    return errors == null
        ? System.err
        : new PrintStream(new SafeOutput(errors, charset, Terminal.interactive()), true, charset);
  }

  /**
   * Standard output for what programs read (JSON, CSV, pages), in UTF-8: exact in a file or a pipe,
   * escaped on a terminal.
   */
  public static OutputStream data() {
    if (output == null) {
      return System.out;
    }
    return Boolean.getBoolean("fedometer.colour")
        ? new SafeOutput(output, StandardCharsets.UTF_8, false)
        : output;
  }

  /** Whether a write to standard output has failed; {@link #exitCode} reports it. */
  public static boolean hasFailed() {
    return output != null && output.failure != null;
  }

  /**
   * Says on standard error that standard output could not be written, if so. A reader that has
   * closed its end of a pipe, as {@code head} does, wanted no more: that is no error.
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
            + "): what was printed is not complete");
    return code == ExitCode.DONE ? ExitCode.DONE_WITH_ERRORS : code;
  }

  /** Compares with what the system says of such a pipe, in the user's language. */
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

  /** Keeps the first failure; {@link PrintStream} forgets it. */
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

    /** The stream is the process's, and others print on it. */
    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
