package org.fedometer.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlainErrorsTest {
  @TempDir Path directory;

  @Test
  void describesFileFailures() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThat(messageOf(() -> Files.readString(directory.resolve("none"))))
        .isEqualTo(directory.resolve("none") + " does not exist");
    assertThat(messageOf(() -> Files.list(file).close())).isEqualTo(file + " is not a folder");
    assertThat(messageOf(() -> Files.createDirectory(file))).isEqualTo(file + " already exists");
    assertThat(messageOf(() -> Files.delete(directory)))
        .isEqualTo(directory + " is a folder that is not empty");
    assertThat(messageOf(() -> Files.readString(file.resolve("inside"))))
        .isEqualTo(file.resolve("inside") + ": Not a directory");
  }

  @Test
  void otherFailuresKeepTheirMessage() {
    assertThat(PlainErrors.message(new IOException("The disk is full")))
        .isEqualTo("The disk is full");
    assertThat(PlainErrors.message(new UncheckedIOException(new IOException("read"))))
        .isEqualTo("read");
    assertThat(PlainErrors.message(new IOException())).isEqualTo("an unexpected failure");
    assertThat(PlainErrors.message(new FileSystemException("a"))).isEqualTo("a cannot be used");
  }

  @Test
  void theNameOfAFileSteersNoTerminal() {
    assertThat(PlainErrors.message(new FileSystemException("a\u001b[2J\nb.pdf")))
        .isEqualTo("a\\u001b[2J\\nb.pdf cannot be used");
  }

  @Test
  void uncheckedNumberIsABugWithATrace() {
    StringWriter err = new StringWriter();

    int exitCode = handled(new NumberFormatException("Cannot parse null string: null"), err);

    assertThat(exitCode).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(err.toString())
        .startsWith("fedometer: unexpected: Cannot parse null")
        .contains(PlainErrorsTest.class.getName());
  }

  @Test
  void illegalArgumentIsBadUsageWithItsMessage() {
    StringWriter err = new StringWriter();

    int exitCode = handled(new IllegalArgumentException("--rate 0: give more"), err);

    assertThat(exitCode).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(err).hasToString("fedometer: --rate 0: give more" + System.lineSeparator());
  }

  private static int handled(Exception e, StringWriter err) {
    CommandLine command = Main.commandLine().setErr(new PrintWriter(err, true));
    return new PlainErrors().handleExecutionException(e, command, null);
  }

  private interface Access {
    void run() throws IOException;
  }

  private static String messageOf(Access access) {
    try {
      access.run();
    } catch (IOException e) {
      return PlainErrors.message(e);
    }
    throw new AssertionError("It did not fail");
  }
}
