package org.fedometer.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files that say what a report looks like. After a wanted change, {@code mvn test -pl analysis
 * -Dgolden.update=true} writes them again, and the diff shows the change.
 */
public final class Golden {

  private static final Path FOLDER = Path.of("src/test/resources/org/fedometer/analysis");

  private Golden() {}

  public static void assertSame(String name, String actual) throws IOException {
    Path file = FOLDER.resolve(name);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(file));
  }
}
