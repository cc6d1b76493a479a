package org.fedometer.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No message contains a Java class name: exceptions are formatted by FailureText, and neither
 * appended to a text nor asked for their class. Excludes modules that run in Fedora's JVM or
 * libraries, whose messages are about classes.
 */
class MessagesTest {
  private static final List<String> EXCLUDED = List.of("agent", "aspects", "repair", "benchmarks");
  private static final Pattern CAUGHT = Pattern.compile("catch \\([^()]+? (\\w+)\\)");

  @Test
  void caughtExceptionsBecomeText() throws Exception {
    List<String> found = new ArrayList<>();
    for (Path module : modules()) {
      try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          check(file, found);
        }
      }
    }
    assertThat(found).as("use FailureText.of(...)").isEmpty();
  }

  private static List<Path> modules() throws IOException {
    try (Stream<Path> folders = Files.list(Path.of("").toAbsolutePath().getParent())) {
      return folders
          .filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
          .filter(folder -> !EXCLUDED.contains(folder.getFileName().toString()))
          .toList();
    }
  }

  private static void check(Path file, List<String> found) throws IOException {
    String text = Files.readString(file);
    Matcher caught = CAUGHT.matcher(text);
    while (caught.find()) {
      int end = text.indexOf("\n  }\n", caught.end());
      String rest = text.substring(caught.end(), end < 0 ? text.length() : end);
      String name = caught.group(1) + "(?:\\.getCause\\(\\))?";
      Matcher bad =
          Pattern.compile(
                  "\"\\s*\\+\\s*"
                      + name
                      + "\\s*[+;,)]|\\b"
                      + name
                      + "\\.toString\\(\\)|\\b"
                      + name
                      + "\\.getClass\\(\\)\\.get(?:Simple)?Name")
              .matcher(rest);
      if (bad.find()) {
        found.add(file.getFileName() + ": " + bad.group().strip());
      }
    }
  }
}
