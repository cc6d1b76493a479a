package org.fedometer.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** DuckDB's library of 70 MB has one lasting place, beside the driver. */
@Timeout(60)
class DuckDbLibraryTest {
  @TempDir Path folder;

  @Test
  void aProcessThatIsKilledLeavesNoLibraryBehind() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                QueryMain.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("42");
      assertThat(Files.readString(Path.of("/proc", Long.toString(process.pid()), "maps")))
          .contains("duckdb/target/libduckdb_java.so_linux_");
      assertThat(filesIn(temporary)).isEmpty();
    } finally {
      process.destroyForcibly().waitFor();
    }

    assertThat(filesIn(temporary)).isEmpty();
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** Runs a query, and stays. */
  static final class QueryMain {
    private QueryMain() {}

    public static void main(String[] arguments) throws Exception {
      TableFiles nothing = () -> new TableFiles.Snapshot(Map.of(), List.of());
      try (Query query = LocalQuery.open(nothing, QueryLimits.local());
          Rows rows = query.execute("SELECT 42")) {
        rows.next();
        System.out.println(rows.integer(0));
        System.in.read();
      }
    }
  }
}
