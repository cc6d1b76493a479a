package org.fedometer.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders for what does not fit into memory do not stay behind. */
class SpillFolderTest {
  /** Larger than any that Linux gives out. */
  private static final String NO_PROCESS = "4194305";

  @TempDir private Path parent;

  @Test
  void aFolderIsItsUsersAloneAndGoesWithWhatIsInIt() throws Exception {
    try (SpillFolder folder = SpillFolder.in(parent)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
          .isEqualTo("rwx------");
      Files.writeString(folder.path().resolve("duckdb_temp_storage-0.tmp"), "spilled");
    }
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void unclosedFolderIsDeletedAtExit() throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Forgetful.class.getName(),
                parent.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).as("it made one").isEqualTo(7);
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void whatAKilledProcessLeftGoesADayLaterAndNothingElse() throws Exception {
    Path left = Files.createDirectory(parent.resolve("fedometer-query-" + NO_PROCESS + "-1"));
    Files.writeString(left.resolve("duckdb_temp_storage-0.tmp"), "spilled");
    Path other = Files.createDirectory(parent.resolve("fedometer-query-notes"));
    try (SpillFolder ownFolder = SpillFolder.in(parent)) {
      ownFolder.deleteLeftovers(Instant.now());
      assertThat(left).as("perhaps another container's").exists();

      ownFolder.deleteLeftovers(Instant.now().plus(Duration.ofDays(2)));
      assertThat(left).doesNotExist();
      assertThat(other).exists();
      assertThat(ownFolder.path()).exists();
    }
  }

  /** Ends without closing what it opened. */
  public static final class Forgetful {
    private Forgetful() {}

    public static void main(String[] arguments) throws Exception {
      Path folder = SpillFolder.in(Path.of(arguments[0])).path();
      Files.writeString(folder.resolve("duckdb_temp_storage-0.tmp"), "spilled");
      System.exit(Files.isDirectory(folder) ? 7 : 0);
    }
  }
}
