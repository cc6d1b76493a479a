package org.fedometer.collector.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Output of a collector's log. */
class LogOutputTest {
  @TempDir Path folder;

  @Test
  void escapesForeignTextIntoOneLine() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.err;
    Logger log = LoggerFactory.getLogger("org.fedometer.collector.Something");
    try {
      System.setErr(new LogOutput(bytes, UTF_8));
      log.error(
          "{} connected",
          "agent \u001b[31m\r\n2026-11-22 INFO Journal - all is well\u202e",
          new IOException("broken\u009b2J\nby \u001b]0;title\u0007"));
    } finally {
      System.setErr(before);
    }
    String logged = bytes.toString(UTF_8);
    assertThat(logged.chars().filter(c -> c != '\n' && c != '\t'))
        .noneMatch(Character::isISOControl);
    assertThat(logged)
        .contains("agent \\u001b[31m\\r\\n2026-11-22 INFO Journal - all is well\\u202e connected\n")
        .contains("java.io.IOException: broken\\u009b2J\\nby \\u001b]0;title\\u0007\n")
        .contains("\n\tat org.fedometer.collector.log.LogOutputTest");
    assertThat(logged.lines().filter(line -> line.startsWith("2026-11-22"))).isEmpty();
  }

  @Test
  void aFileThatIsLargeIsPutAsideAndTheOldestGoes() throws Exception {
    Path file = folder.resolve("collector.log");
    try (LogOutput log = new LogOutput(new RotatingFile(file, 1_000, 2), UTF_8)) {
      for (int i = 0; i < 100; i++) {
        log.println("line %03d %s".formatted(i, "x".repeat(90)));
      }
    }
    assertThat(names()).containsExactly("collector.log", "collector.log.1", "collector.log.2");
    // Ten lines of 100 bytes each; whole ones, none twice, the newest all there.
    List<String> lines =
        Stream.of("collector.log.2", "collector.log.1", "collector.log")
            .flatMap(name -> lines(folder.resolve(name)))
            .toList();
    assertThat(lines).hasSize(30).first().asString().startsWith("line 070 ");
    assertThat(lines).last().asString().startsWith("line 099 ");
    assertThat(lines).doesNotHaveDuplicates().allMatch(line -> line.length() == 99);
  }

  @Test
  void appendsAndSurvivesTruncation() throws Exception {
    Path file = folder.resolve("collector.log");
    Files.writeString(file, "from before\n");
    try (LogOutput log = new LogOutput(new RotatingFile(file, 1_000, 2), UTF_8)) {
      log.println("one");
      assertThat(file).hasContent("from before\none\n");
      Files.write(file, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
      log.println("two");
      assertThat(file).hasContent("two\n");
    }
  }

  @Test
  void startsANewFileAfterALogWasMoved() throws Exception {
    Path file = folder.resolve("collector.log");
    try (LogOutput log = new LogOutput(new RotatingFile(file, 10, 3), UTF_8)) {
      log.println("first line");
      log.println("second line");
      Files.move(file, folder.resolve("taken"));
      log.println("third line");
    }
    assertThat(folder.resolve("collector.log.1")).hasContent("first line\n");
    assertThat(folder.resolve("taken")).hasContent("second line\n");
    assertThat(file).hasContent("third line\n");
    assertThat(names()).containsExactly("collector.log", "collector.log.1", "taken");
  }

  @Test
  void aLogThatCannotBePutAsideGoesOn() throws Exception {
    Path file = folder.resolve("collector.log");
    Path inTheWay = Files.createDirectories(folder.resolve("collector.log.1").resolve("full"));
    try (LogOutput log = new LogOutput(new RotatingFile(file, 10, 1), UTF_8)) {
      log.println("first line");
      log.println("second line");
    }
    assertThat(file).hasContent("first line\nsecond line\n");
    assertThat(inTheWay).exists();
  }

  @Test
  void reportsAnUnwritableFileAtOnce() {
    assertThatThrownBy(() -> new RotatingFile(folder.resolve("none/log"), 10, 1))
        .isInstanceOf(IOException.class);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
