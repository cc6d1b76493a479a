package org.fedometer.experiments.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockDevicesTest {

  @TempDir Path folder;

  @Test
  void aFolderOnNoDiskIsNamed() {
    assertThatThrownBy(() -> BlockDevices.below(List.of(Path.of("/proc"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Linux has no disk counters for /proc (/sys/dev/block/0:");
  }

  @Test
  void foldersOfOneDiskCountOnce() throws Exception {
    Path devices = Files.createDirectory(folder.resolve("devices"));
    Path counter = counterOf(devices, folder);
    Files.writeString(counter, "     77      5     1000       9     88     6   3000 1 0 2 3\n");

    BlockDevices disks = BlockDevices.below(devices, List.of(folder, devices));

    assertThat(disks.read()).contains(new BlockDevices.Use(512_000, 1_536_000));
    Files.delete(counter);
    assertThat(disks.read()).isEmpty();
  }

  @Test
  void whatIsForcedToTheDiskIsCounted() throws Exception {
    BlockDevices disks;
    try {
      disks = BlockDevices.below(List.of(folder));
    } catch (IOException e) {
      abort("The folder for temporary files is on no disk: " + e.getMessage());
      return;
    }
    int writes = 200;
    int bytes = 8192;
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("log"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(16 << 20));
      file.force(true);

      long before = disks.read().orElseThrow().writtenBytes();
      for (int i = 0; i < writes; i++) {
        file.write(ByteBuffer.allocate(bytes), (long) i * bytes);
        file.force(false);
      }
      long written = disks.read().orElseThrow().writtenBytes() - before;

      // Whatever else the machine writes meanwhile is in it.
      assertThat(written).isGreaterThanOrEqualTo((long) writes * bytes);
    }
  }

  /** Returns the kernel's counter file for the disk of a file; creates its folder. */
  static Path counterOf(Path devices, Path file) throws Exception {
    Process stat = new ProcessBuilder("stat", "-c", "%D", file.toString()).start();
    try (var answer = stat.inputReader()) {
      long device = Long.parseUnsignedLong(answer.readLine(), 16);
      long major = device >>> 8 & 0xfff;
      long minor = device & 0xff | device >>> 12 & 0xfff00;
      return Files.createDirectory(devices.resolve(major + ":" + minor)).resolve("stat");
    }
  }
}
