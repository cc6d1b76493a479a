package org.fedometer.experiments.telemetry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.fedometer.wire.FailureText;

/**
 * Reads from Linux's {@code /sys/dev/block} the bytes read and written by all processes on the
 * disks of some folders. Not thread-safe. docs/decisions/0006-telemetry.md explains why the
 * kernel's per-process counters are not used.
 */
final class BlockDevices {

  private static final Path BLOCK_DEVICES = Path.of("/sys/dev/block");

  /** The kernel's unit here, for any device. */
  private static final long BYTES_IN_SECTOR = 512;

  /** Fields of {@code stat}. */
  private static final int SECTORS_READ = 2;

  private static final int SECTORS_WRITTEN = 6;

  private final Set<Path> counters;

  private BlockDevices(Set<Path> counters) {
    this.counters = counters;
  }

  /** Total of all disks since the machine's start. */
  record Use(long readBytes, long writtenBytes) {}

  /** Returns the disks of these folders, each once. */
  static BlockDevices below(Collection<Path> folders) throws IOException {
    return below(BLOCK_DEVICES, folders);
  }

  /**
   * @param blockDevices the kernel's folder of block devices, by their numbers
   * @throws IOException naming a folder that is missing, or not on a device that the kernel lists,
   *     as with btrfs and ZFS, networks, memory, or a container's layers
   */
  static BlockDevices below(Path blockDevices, Collection<Path> folders) throws IOException {
    Set<Path> counters = new LinkedHashSet<>();
    for (Path folder : folders) {
      Path counter = blockDevices.resolve(number(folder)).resolve("stat");
      if (!Files.isReadable(counter)) {
        throw new IOException(
            "Linux has no disk counters for "
                + folder
                + " ("
                + counter
                + " does not exist), as on btrfs, ZFS, container layers, memory and network disks");
      }
      counters.add(counter);
    }
    return new BlockDevices(counters);
  }

  /** Returns major and minor number, as in {@code makedev(3)}. */
  private static String number(Path folder) throws IOException {
    long device;
    try {
      device = (Long) Files.getAttribute(folder, "unix:dev");
    } catch (IOException e) {
      throw new IOException(folder + " cannot be read: " + FailureText.of(e), e);
    }
    long major = device >>> 8 & 0xfff | device >>> 32 & 0xfffff000L;
    long minor = device & 0xff | device >>> 12 & 0xffffff00L;
    return major + ":" + minor;
  }

  /** Returns empty once a device is gone. */
  Optional<Use> read() {
    long read = 0;
    long written = 0;
    for (Path counter : counters) {
      try {
        String[] fields = Files.readString(counter, StandardCharsets.US_ASCII).strip().split(" +");
        read += Long.parseLong(fields[SECTORS_READ]) * BYTES_IN_SECTOR;
        written += Long.parseLong(fields[SECTORS_WRITTEN]) * BYTES_IN_SECTOR;
      } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
        return Optional.empty();
      }
    }
    return counters.isEmpty() ? Optional.empty() : Optional.of(new Use(read, written));
  }
}
