package org.fedometer.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The child, in a JVM of its own. */
@Timeout(120)
class RepairMainTest {

  @Test
  void exitsWithAMessageIfAnErrorLeavesThreads() throws Exception {
    Properties properties = new Properties();
    new Settings(properties)
        .set(Settings.Name.DATABASE_DRIVER, DriverThatCannotBeLoaded.class.getName());
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                Path.of("target", "classes")
                    + File.pathSeparator
                    + Path.of("target", "test-classes"),
                RepairMain.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      try (OutputStream settings = process.getOutputStream()) {
        properties.store(settings, null);
      }
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the JVM has ended").isTrue();
      assertThat(process.exitValue()).isEqualTo(1);
      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("note\tjava.lang.OutOfMemoryError: no heap is left\n");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void theNoteOfUnlistedObjectsFitsWhatWasDone() {
    assertThat(RepairMain.unlistedNote(7, true))
        .isEqualTo("7 more inconsistent objects are not reported; repair again");
    assertThat(RepairMain.unlistedNote(1, false))
        .isEqualTo(
            "1 more inconsistent object is not reported; repair these first, then check again");
  }

  /** As the libraries of a Fedora whose heap is full. */
  static final class DriverThatCannotBeLoaded {
    static final Object NONE = leaveAThreadBehind();

    private static Object leaveAThreadBehind() {
      // No code of this class: no other thread may run it while, or after, it cannot be loaded.
      new Thread(new Semaphore(0)::acquireUninterruptibly).start();
      throw new OutOfMemoryError("no heap is left");
    }
  }
}
