package org.fedometer.profiles.stack.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedProgramsTest {

  @TempDir private Path cache;

  @Test
  void whatAKilledUnpackingLeftIsRemovedADayLater() throws Exception {
    Path old = leftover("server-1.0.12345678901234567", Duration.ofHours(25));
    Path young = leftover("server-1.0.23456789012345678", Duration.ofHours(1));
    Path other = leftover("server-1.0.1", Duration.ofHours(25));
    Path another = leftover("server-1.0.1-rc", Duration.ofHours(25));
    Path programs = unpack("server-1.0.jar");

    assertThat(programs.resolve("program")).exists();
    assertThat(old).doesNotExist();
    assertThat(young).exists();
    assertThat(another).exists();
    assertThat(other).as("another version").exists();
  }

  @Test
  void itIsRemovedAlthoughTheProgramsAreThere() throws Exception {
    unpack("server-1.0.jar");
    Path old = leftover("server-1.0.12345678901234567", Duration.ofHours(25));

    unpack("server-1.0.jar");

    assertThat(old).doesNotExist();
  }

  private Path unpack(String jar) throws Exception {
    return new UnpackedPrograms(cache)
        .of("db", Path.of(jar), folder -> Files.writeString(folder.resolve("program"), "x"));
  }

  private Path leftover(String name, Duration age) throws Exception {
    Path folder = Files.createDirectories(cache.resolve("db").resolve(name));
    Files.writeString(folder.resolve("half"), "x");
    return Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(age)));
  }
}
