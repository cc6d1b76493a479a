package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A disk of some megabytes, in memory, that a test can fill to its last byte, as often as it likes,
 * and make room on again. It takes root, and {@code mount}; where that is not allowed the test is
 * skipped, with {@code FEDOMETER_REQUIRE_ALL=1} it fails.
 */
final class SmallDisk implements AutoCloseable {
  private static final int BLOCK_BYTES = 4096;

  private final Path folder;
  private final Path filler;

  private SmallDisk(Path folder) {
    this.folder = folder;
    this.filler = folder.resolve("filler");
  }

  /**
   * Mounts one.
   *
   * @param folder made where it is missing; what it holds is hidden meanwhile
   */
  static SmallDisk mount(Path folder, int megabytes) throws Exception {
    Files.createDirectories(folder);
    String problem =
        Files.isExecutable(Path.of("/usr/bin/mount"))
            ? run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "fedometer-test", folder)
            : "there is no /usr/bin/mount";
    if (!"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      assumeThat(problem).as("a small disk is mounted by root, with mount").isEmpty();
    }
    assertThat(problem).as("a small disk is mounted").isEmpty();
    return new SmallDisk(folder);
  }

  Path folder() {
    return folder;
  }

  /**
   * Takes what is left, to the last block. What others free meanwhile is taken by a further call.
   */
  void fill() throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            filler,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
      while (folder.toFile().getUsableSpace() > 0) {
        long left = folder.toFile().getUsableSpace();
        channel.write(ByteBuffer.allocate((int) Math.max(BLOCK_BYTES, Math.min(left, 1 << 20))));
      }
    } catch (IOException e) {
      if (folder.toFile().getUsableSpace() > 0) {
        throw e;
      }
    }
  }

  void makeRoom() throws IOException {
    Files.deleteIfExists(filler);
  }

  /** Whoever still has a file open there keeps the memory, but nobody finds it any more. */
  @Override
  public void close() throws Exception {
    makeRoom();
    if (!run("umount", folder).isEmpty()) {
      assertThat(run("umount", "--lazy", folder)).as("unmounted").isEmpty();
    }
  }

  /** Empty if it went well, else what was said. */
  private static String run(Object... command) throws Exception {
    String[] words = new String[command.length];
    for (int i = 0; i < command.length; i++) {
      words[i] = command[i].toString();
    }
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    return process.waitFor() == 0 ? "" : said.isBlank() ? "it failed" : said;
  }
}
