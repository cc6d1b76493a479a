package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailureTextTest {

  @Test
  void describesFileSystemExceptions() {
    assertThat(FailureText.of(new NoSuchFileException("/a"))).isEqualTo("/a does not exist");
    assertThat(FailureText.of(new UncheckedIOException(new AccessDeniedException("/a"))))
        .isEqualTo("/a cannot be accessed by this user");
    assertThat(FailureText.of(new FileSystemException("/a", null, "No space left on device")))
        .isEqualTo("/a: No space left on device");
  }

  @Test
  void describesAPathThatTheLocaleCannotEncode() {
    assertThat(FailureText.of(new InvalidPathException("/t/d\uFFFD", "Malformed input")))
        .contains("/t/d\uFFFD", "locale", "LC_ALL", "C.UTF-8");
    assertThat(FailureText.of(new InvalidPathException("a\0b", "Nul character not allowed")))
        .contains("is not a valid path: Nul character not allowed");
  }

  @Test
  void describesAnExceptionWithoutAMessageByItsType() {
    assertThat(FailureText.of(new EOFException())).isEqualTo("it ends too early");
    assertThat(FailureText.of(new ClosedChannelException())).isEqualTo("closed channel");
    assertThat(FailureText.of(new IOException())).isEqualTo("an unexpected failure");
    assertThat(FailureText.of(new UnknownHostException("db")))
        .isEqualTo("the host db is not known");
  }

  @Test
  void describesMalformedTextInsideAnyWrapper() {
    MalformedInputException failure = new MalformedInputException(1);
    for (Exception told :
        new Exception[] {
          failure, new UncheckedIOException(failure), new RuntimeException(failure)
        }) {
      assertThat(FailureText.of(told)).isEqualTo("the text is not valid UTF-8");
    }
  }

  @Test
  void describesLinkageErrorsWithTheClassName() {
    assertThat(FailureText.of(new NoClassDefFoundError("org/a/B")))
        .isEqualTo("the class org.a.B is missing");
    assertThat(FailureText.of(new ClassNotFoundException("org.a.B")))
        .isEqualTo("the class org.a.B is missing");
    assertThat(FailureText.of(new ArrayIndexOutOfBoundsException("5")))
        .isEqualTo("array index out of bounds: 5");
    assertThat(FailureText.of(new NoSuchFieldException("count"))).isEqualTo("no such field: count");
    assertThat(FailureText.of(new NoSuchMethodError("'void org.a.B.c()'")))
        .isEqualTo("no such method: 'void org.a.B.c()'");
  }

  @Test
  void oneLineIsMadeOfSeveral() {
    assertThat(FailureText.inOneLine(new VerifyError("Bad type\nException Details:\r\n  Here\n")))
        .isEqualTo("Bad type Exception Details: Here");
  }

  @Test
  void removesClassNamesFromMessages() {
    IOException cause = new IOException("No space left on device");
    assertThat(FailureText.of(new ExecutionException(cause))).isEqualTo("No space left on device");
    assertThat(FailureText.of(new RuntimeException(cause))).isEqualTo("No space left on device");
    assertThat(FailureText.withoutClassNames("at java.nio.channels.ClosedChannelException"))
        .isEqualTo("at closed channel");
    assertThat(
            FailureText.withoutClassNames(
                "cannot convert 'x' to Path (java.nio.file.InvalidPathException: Nul: x)"))
        .isEqualTo("cannot convert 'x' to Path (Nul: x)");
  }
}
