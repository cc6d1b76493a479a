package org.fedometer.profiles.stack.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogLinesTest {

  @TempDir Path folder;

  @Test
  void findsTheErrorOfTheJvm() throws IOException {
    Path log = log("Unrecognized VM option 'X'\nError: Could not create the Java Virtual Machine.");

    assertThat(LogLines.firstError(log, 0)).contains("Unrecognized VM option 'X'");
  }

  @Test
  void ignoresHarmlessLines() throws IOException {
    Path log =
        log(
            "SEVERE: Unable to process Jar entry [module-info.class] from Jar [a.jar]\n"
                + "org.apache.tomcat.util.bcel.classfile.ClassFormatException: Invalid byte tag\n"
                + "\tat org.Some.Exception(Some.java:1)\n"
                + "SEVERE: Failed to initialize connector\n");

    assertThat(LogLines.firstError(log, 0)).contains("SEVERE: Failed to initialize connector");
  }

  @Test
  void prefersAnErrorToAnEarlierWarning() throws IOException {
    String warning = "0 [Warning] Could not increase number of max_open_files";

    assertThat(LogLines.firstError(log(warning + "\n0 [ERROR] InnoDB: no space\n"), 0))
        .contains("0 [ERROR] InnoDB: no space");
    assertThat(LogLines.firstError(log(warning + "\n"), 0)).contains(warning);
  }

  @Test
  void ignoresEarlierLines() throws IOException {
    Path log = log("FATAL: of yesterday\n");
    long position = LogLines.size(log);
    Files.writeString(log, Files.readString(log) + "all well\n");

    assertThat(LogLines.firstError(log, position)).isEmpty();
    assertThat(LogLines.firstError(log, 0)).contains("FATAL: of yesterday");
  }

  @Test
  void findsTheRootCauseOfTheFirstTrace() throws IOException {
    Path log =
        log(
            "INFO 2026-11-20 23:34:09.1 [main] (Server) x\n"
                + "ERROR 2026-11-20 23:34:09.2 [main] (Server) failed\n"
                + "java.lang.RuntimeException: outer\n"
                + "\tat a.B.c(B.java:1)\n"
                + "Caused by: a.MiddleException: middle\n"
                + "\tat a.B.c(B.java:1)\n"
                + "Caused by: a.InnerException: inner\n"
                + "ERROR 2026-11-20 23:34:09.4 [main] (ContextLoader) failed\n"
                + "Caused by: a.OtherException: other\n");

    assertThat(LogLines.firstCause(log, 0)).contains("a.InnerException: inner");
  }

  @Test
  void aLogThatIsLargerThanAnArrayIsReadFromThePositionOn() throws IOException {
    Path log = log("FATAL: of years ago\n");
    long position = 3L << 30;
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap("FATAL: of now\n".getBytes(StandardCharsets.UTF_8)), position);
    }

    assertThat(LogLines.firstError(log, position)).contains("FATAL: of now");
    assertThat(LogLines.contains(log, position, "years")).isFalse();
  }

  @Test
  void aLogThatWasRolledOverIsAllNew() throws IOException {
    assertThat(LogLines.firstError(log("FATAL: of now\n"), 1_000)).contains("FATAL: of now");
  }

  @Test
  void aLogThatIsNotThereHasNoLines() throws IOException {
    assertThat(LogLines.firstError(folder.resolve("none"), 0)).isEmpty();
    assertThat(LogLines.size(folder.resolve("none"))).isZero();
  }

  private Path log(String text) throws IOException {
    return Files.writeString(folder.resolve("a.log"), text);
  }
}
