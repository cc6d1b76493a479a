package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each case has a separate JVM, since a loaded library stays. */
@Timeout(60)
class NativeLibrariesTest {
  @TempDir Path folder;

  @Test
  void theStoreServesWhereTheFolderForTemporaryFilesDoesNot() throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));

    assertThat(load(store, folder.resolve("missing"))).isEqualTo("loaded");
    assertThat(store).isEmptyDirectory();
  }

  @Test
  void theFolderForTemporaryFilesServesWhereTheStoreDoesNot() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));

    assertThat(load(folder.resolve("missing"), temporary)).isEqualTo("loaded");
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void failureNamesTheFoldersAndNoClass() throws Exception {
    Path missing = folder.resolve("missing");
    Path none = folder.resolve("none");

    assertThat(load(missing, none))
        .startsWith("zstd's library cannot be loaded from " + missing + " or from " + none)
        .doesNotContain("Error", "Exception", "java.");
  }

  private static String load(Path store, Path temporary) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Loads.class.getName(),
                store.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      return out.readLine();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Loads, and prints the result. */
  static final class Loads {
    private Loads() {}

    public static void main(String[] arguments) {
      try {
        NativeLibraries.load(Path.of(arguments[0]));
        System.out.println("loaded");
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
