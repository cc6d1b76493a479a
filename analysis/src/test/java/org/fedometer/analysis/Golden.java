package org.fedometer.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Expected reports. After an intended change, {@code mvn test -pl analysis -Dgolden.update=true}
 * rewrites the files, and the diff shows the change.
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
