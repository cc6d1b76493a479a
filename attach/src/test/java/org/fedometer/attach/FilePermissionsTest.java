package org.fedometer.attach;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePermissionsTest {
  private static final long OTHER_USER = 54_321;

  @TempDir private Path folder;
  private Path file;
  private long owner;
  private long group;

  @BeforeEach
  void file() throws IOException {
    file = Files.writeString(folder.resolve("file"), "");
    owner = ((Integer) Files.getAttribute(file, "unix:uid")).longValue();
    group = ((Integer) Files.getAttribute(file, "unix:gid")).longValue();
  }

  @Test
  void readsPermissionsFromTheFileMode() throws Exception {
    chmod(folder, "rwxr-xr-x");
    chmod(file, "rw----r--");
    assertThat(may(owner)).isTrue();
    assertThat(may(OTHER_USER)).isTrue();
    assertThat(may(OTHER_USER, group)).isFalse();
    chmod(file, "---r-----");
    assertThat(may(owner)).isFalse();
    assertThat(may(OTHER_USER)).isFalse();
    assertThat(may(OTHER_USER, group)).isTrue();
  }

  @Test
  void aFolderThatMayNotBeSearchedHidesWhatIsInIt() throws Exception {
    chmod(file, "rw-r--r--");
    chmod(folder, "rwxr--r--");

    assertThat(may(OTHER_USER)).isFalse();
    assertThat(may(owner)).isTrue();
  }

  private boolean may(long user, Long... groups) {
    return new FilePermissions(user, Set.of(groups)).mayRead(file);
  }

  private static void chmod(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }
}
