package org.fedometer.profiles.stack.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeLockTest {

  @TempDir private Path folder;

  @Test
  void aHomeIsHeldOnceAndFreeAgainAfterwards() throws Exception {
    Path file = folder.resolve("locks");
    Path home = Path.of("/a/home");
    try (HomeLock first = HomeLock.acquire(file, home)) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> HomeLock.acquire(file, home))
          .isInstanceOf(ProvisioningException.class)
          .hasMessage(
              "Another Fedometer is creating or starting a stack in /a/home; wait until it is"
                  + " up, or choose another folder.");
      HomeLock.acquire(file, Path.of("/another/home")).close();
      assertThatThrownBy(() -> HomeLock.acquire(file, home))
          .as("others come and go")
          .isInstanceOf(ProvisioningException.class);
    }
    HomeLock.acquire(file, home).close();
  }

  @Test
  void waitsForTheLockOfAnotherProcess() throws Exception {
    Path file = folder.resolve("locks");
    Path home = Path.of("/a/home");
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Other.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.getInputStream().read()).as("it has the lock").isEqualTo('!');
      assertThatThrownBy(() -> HomeLock.acquire(file, home))
          .isInstanceOf(ProvisioningException.class);
    } finally {
      other.destroyForcibly().waitFor();
    }
    HomeLock.acquire(file, home).close();
  }

  /** Holds all homes until it is killed. */
  static final class Other {
    private Other() {}

    public static void main(String[] arguments) throws IOException {
      try (FileChannel channel =
          FileChannel.open(
              Path.of(arguments[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        if (channel.lock().isValid()) {
          System.out.write('!');
          System.out.flush();
        }
        while (System.in.read() >= 0) {
          Thread.onSpinWait();
        }
      }
    }
  }
}
