package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A disk of some megabytes in memory that a test can fill completely and free again. It disappears
 * when closed, or when this JVM ends.
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
   * Mounts a disk. Skipped if this machine does not allow it.
   *
   * @param folder created if missing; its content is hidden meanwhile
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

  /** Fills the remaining space, to the last block. A further call fills space freed meanwhile. */
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
          // Another process may have used the last block, and freed it since.
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

  /** Unmounts lazily: a process with an open file keeps the memory, but the path is gone. */
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

  /** Returns empty on success, else the output. */
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
