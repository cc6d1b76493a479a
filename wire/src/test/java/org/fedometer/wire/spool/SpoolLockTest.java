package org.fedometer.wire.spool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several clients of one process in one folder: an agent that gets new options has two. */
@Timeout(60)
class SpoolLockTest {

  @TempDir Path folder;

  @Test
  void aSpoolStaysLockedForOtherProcessesWhileItsNeighboursLookAtTheFolder() throws Exception {
    UUID source = UUID.randomUUID();
    Hello hello = ClientOptions.builder("127.0.0.1", 1).build().helloWithoutToken();
    try (FrameSpool spool = new FrameSpool(folder, source, 4 * 1024 * 1024)) {
      spool.append(new Frame(FrameType.SAMPLES.code(), 1, new byte[10]), hello);
      assertThat(AbandonedSpools.scan(folder).spools()).isEmpty();
      assertThat(asSeenByAnotherProcess()).isEqualTo("locked");
    }
    assertThat(asSeenByAnotherProcess()).isEqualTo("free");
  }

  private String asSeenByAnotherProcess() throws Exception {
    Path lock;
    try (Stream<Path> files = Files.list(folder)) {
      lock = files.filter(file -> file.toString().endsWith(".lock")).findFirst().orElseThrow();
    }
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    Path.of("target", "test-classes").toString(),
                    Probe.class.getName(),
                    lock.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes()).strip();
    process.waitFor();
    return said;
  }

  /** Prints whether a file is locked. */
  static final class Probe {
    public static void main(String[] arguments) throws Exception {
      try (FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE);
          FileLock lock = file.tryLock()) {
        System.out.println(lock == null ? "locked" : "free");
      }
    }
  }
}
