package org.fedometer.cli.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Exit codes of a collector that ends by itself. */
class CollectFailureTest {
  private static final long TIMEOUT_SECONDS = 60;

  @TempDir Path folder;

  @Test
  @Timeout(120)
  void failsWhenTheStoreCannotBeWritten() throws Exception {
    Path log = folder.resolve("collect.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                DyingCollector.class.getName(),
                folder.resolve("store").toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as("it has ended").isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }

    String output = Files.readString(log);
    assertThat(process.exitValue()).as(output).isEqualTo(ExitCode.DONE_WITH_ERRORS);
    assertThat(output)
        .contains("The segment log has failed")
        .doesNotContain("Some segments are not sealed");
    assertThat(folder.resolve("store/collector.json")).doesNotExist();
  }

  /** In the child: a collector whose segment log fails right after its start. */
  static final class DyingCollector {
    private DyingCollector() {}

    public static void main(String[] arguments) {
      Path store = Path.of(arguments[0]);
      Thread killer = new Thread(() -> interruptJournal(store), "killer");
      killer.setDaemon(true);
      killer.start();
      Main.main(new String[] {"collect", "--listen", "127.0.0.1:0", "--store", store.toString()});
    }

    private static void interruptJournal(Path store) {
      await()
          .atMost(Duration.ofSeconds(TIMEOUT_SECONDS))
          .until(() -> Files.exists(store.resolve("collector.json")));
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().equals("fedometer-segment-log"))
          .forEach(Thread::interrupt);
    }
  }
}
