package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A disk of some megabytes, in memory, that a test can fill to its last byte, as often as it likes,
 * and make room on again. It is gone when it is closed, or when this JVM ends.
 */
final class SmallDisk implements AutoCloseable {
  private static final int BLOCK_BYTES = 4096;
  private static final int MAX_REFUSALS = 1000;

  private final Path folder;
  private final Path filler;
  private final Thread shutdownHook = new Thread(this::unmountAtTheEnd);

  private SmallDisk(Path folder) {
    this.folder = folder;
    this.filler = folder.resolve("filler");
  }

  /**
   * Mounts one. Skipped where this machine does not allow it.
   *
   * @param folder made where it is missing; what it holds is hidden meanwhile
   */
  static SmallDisk mount(Path folder, int megabytes) throws Exception {
    Files.createDirectories(folder);
    String problem =
        Files.isExecutable(Path.of("/usr/bin/mount"))
            ? run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "fedometer-test", folder)
            : "there is no /usr/bin/mount";
    Requirement.require(
        problem.isEmpty(), "small disks can be mounted, by root and with mount: " + problem);
    SmallDisk disk = new SmallDisk(folder);
    Runtime.getRuntime().addShutdownHook(disk.shutdownHook);
    return disk;
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
      int refusals = 0;
      while (folder.toFile().getUsableSpace() > 0) {
        long left = folder.toFile().getUsableSpace();
        try {
          channel.write(ByteBuffer.allocate((int) Math.max(BLOCK_BYTES, Math.min(left, 1 << 20))));
        } catch (IOException e) {
          // Somebody else may have taken the last block, and may have given it back since.
          if (++refusals == MAX_REFUSALS) {
            throw e;
          }
        }
      }
    } catch (IOException e) {
      if (folder.toFile().getUsableSpace() > 0) {
        throw e;
      }
    }
  }

  void free() throws IOException {
    Files.deleteIfExists(filler);
  }

  /** Whoever still has a file open there keeps the memory, but nobody finds it any more. */
  @Override
  public void close() throws Exception {
    free();
    unmount();
    Runtime.getRuntime().removeShutdownHook(shutdownHook);
  }

  private void unmount() throws Exception {
    if (!run("umount", folder).isEmpty()) {
      assertThat(run("umount", "--lazy", folder)).as("unmounted").isEmpty();
    }
  }

  private void unmountAtTheEnd() {
    try {
      free();
      unmount();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException("the disk " + folder + " is left", e);
    }
  }

  /** Empty if it went well, else what was said. */
  private static String run(Object... command) throws Exception {
    String[] arguments = new String[command.length];
    for (int i = 0; i < command.length; i++) {
      arguments[i] = command[i].toString();
    }
    Process process = new ProcessBuilder(arguments).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    return process.waitFor() == 0 ? "" : output.isBlank() ? "it failed" : output;
  }
}
