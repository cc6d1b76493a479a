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
  void aFailureOfAFileSaysWhatIsWrongWithIt() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThat(sentenceOf(() -> Files.readString(directory.resolve("none"))))
        .isEqualTo(directory.resolve("none") + " does not exist");
    assertThat(sentenceOf(() -> Files.list(file).close())).isEqualTo(file + " is not a folder");
    assertThat(sentenceOf(() -> Files.createDirectory(file)))
        .isEqualTo(file + " exists already, and is not what is needed there");
    assertThat(sentenceOf(() -> Files.delete(directory)))
        .isEqualTo(directory + " is a folder that is not empty");
    assertThat(sentenceOf(() -> Files.readString(file.resolve("inside"))))
        .isEqualTo(file.resolve("inside") + ": Not a directory");
  }

  @Test
  void otherFailuresKeepTheirOwnWords() {
    assertThat(PlainErrors.sentence(new IOException("The disk is full")))
        .isEqualTo("The disk is full");
    assertThat(PlainErrors.sentence(new UncheckedIOException(new IOException("read"))))
        .isEqualTo("read");
    assertThat(PlainErrors.sentence(new IOException())).isEqualTo("an unexpected failure");
    assertThat(PlainErrors.sentence(new FileSystemException("a"))).isEqualTo("a cannot be used");
  }

  @Test
  void theNameOfAFileSteersNoTerminal() {
    assertThat(PlainErrors.sentence(new FileSystemException("a\u001b[2J\nb.pdf")))
        .isEqualTo("a\\u001b[2J\\nb.pdf cannot be used");
  }

  @Test
  void aNumberThatNobodyLookedAtIsAFaultOfOursWithItsTrace() {
    StringWriter err = new StringWriter();

    int exitCode = handled(new NumberFormatException("Cannot parse null string: null"), err);

    assertThat(exitCode).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(err.toString())
        .startsWith("fedometer: unexpected: Cannot parse null")
        .contains(PlainErrorsTest.class.getName());
  }

  @Test
  void whatIsRefusedInWordsIsBadUsageInThoseWordsAlone() {
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

  private static String sentenceOf(Access access) {
    try {
      access.run();
    } catch (IOException e) {
      return PlainErrors.sentence(e);
    }
    throw new AssertionError("It did not fail");
  }
}
