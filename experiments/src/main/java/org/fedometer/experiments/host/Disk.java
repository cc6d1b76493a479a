package org.fedometer.experiments.host;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.fedometer.store.DiskSpace;

/**
 * Facts about a folder's disk, from Linux. Unreadable facts are omitted, such as the device of a
 * container's file system. Stateless.
 */
public final class Disk {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final Path DEVICES = Path.of("/sys/dev/block");

  private Disk() {}

  /** Returns facts by name, in a fixed order; the folder may be missing yet. */
  static Map<String, String> of(Path folder) {
    Path there = DiskSpace.existing(folder);
    Map<String, String> facts = new LinkedHashMap<>();
    try {
      FileStore mounted = Files.getFileStore(there);
      facts.put("filesystem", mounted.type());
      facts.put("device", mounted.name());
    } catch (IOException e) {
      // In a chroot no mount names this disk.
      facts.put("filesystem", "unknown");
    }
    mountOf(there)
        .ifPresent(
            mount -> {
              facts.put("mount.point", mount.point());
              facts.put("mount.options", mount.options());
              facts(mount.deviceNumber(), "queue/rotational")
                  .ifPresent(value -> facts.put("rotational", value.equals("1") ? "yes" : "no"));
              facts(mount.deviceNumber(), "queue/scheduler")
                  .ifPresent(value -> facts.put("scheduler", value));
              facts(mount.deviceNumber(), "device/model")
                  .ifPresent(value -> facts.put("model", value));
            });
    facts.put("totalBytes", Long.toString(there.toFile().getTotalSpace()));
    return facts;
  }

  /**
   * Returns a supplier of the bytes that users may still write to the folder's disk.
   *
   * @param folder may be missing yet; null if on another host
   * @throws IOException with a one-sentence message, if the disk is not visible
   */
  public static LongSupplier availableBytes(Path folder) throws IOException {
    if (folder == null) {
      throw new IOException(
          "--min-free-disk needs Fedora's disk on this host, but it is on another host;"
              + " limit the load with --objects or --duration.");
    }
    File there = DiskSpace.existing(folder).toFile();
    if (there.getTotalSpace() == 0) {
      throw new IOException(
          "--min-free-disk: the free space of the disk of "
              + there
              + " cannot be read; limit the load with --objects or --duration.");
    }
    return there::getUsableSpace;
  }

  private record Mount(String deviceNumber, String point, String options) {}

  /** Returns the last mount on the longest prefix of the path. */
  private static Optional<Mount> mountOf(Path folder) {
    try {
      Path real = folder.toRealPath();
      Mount found = null;
      for (String line : Files.readAllLines(MOUNTS)) {
        List<String> fields = List.of(line.split(" "));
        int dash = fields.indexOf("-");
        // Escaped blanks in paths.
        Path point = Path.of(fields.get(4).replace("\\040", " "));
        if (real.startsWith(point)
            && (found == null || point.getNameCount() >= Path.of(found.point()).getNameCount())) {
          String options = fields.get(5) + " " + fields.get(dash + 3);
          found = new Mount(fields.get(2), point.toString(), options);
        }
      }
      return Optional.ofNullable(found);
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Reads a property of the device or, for a partition, of its disk, the parent folder. */
  private static Optional<String> facts(String deviceNumber, String name) {
    try {
      Path device = DEVICES.resolve(deviceNumber).toRealPath();
      return Stream.of(device, device.getParent())
          .map(folder -> folder.resolve(name))
          .filter(Files::isReadable)
          .findFirst()
          .flatMap(Disk::content);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> content(Path file) {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
