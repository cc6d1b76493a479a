package org.fedometer.profiles.stack.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.fedometer.wire.disk.Durable;

/**
 * Programs from jars, unpacked once into the user's cache folder. Safe for several processes at
 * once.
 */
public final class UnpackedPrograms {

  private final Path cache;

  /**
   * @param cache the user's cache folder; created when needed
   */
  public UnpackedPrograms(Path cache) {
    this.cache = cache;
  }

  /** Fills an empty folder. */
  public interface Unpacking {
    void into(Path folder) throws IOException, InterruptedException, ProvisioningException;
  }

  /** Returns the folder of a jar's programs; unpacks the jar if necessary. */
  public Path of(String product, Path jar, Unpacking unpacking)
      throws IOException, InterruptedException, ProvisioningException {
    return of(product, jar.getFileName().toString().replaceFirst("\\.jar$", ""), unpacking);
  }

  /**
   * Returns the folder of the programs of a name; fills it if necessary.
   *
   * @param name a name that is the same only for the same programs
   */
  public Path of(String product, String name, Unpacking unpacking)
      throws IOException, InterruptedException, ProvisioningException {
    Path target = cache.resolve(product).resolve(name);
    Durable.createDirectories(target.getParent());
    removeLeftovers(target);
    if (Files.isDirectory(target)) {
      return target;
    }
    Path aside = Files.createTempDirectory(target.getParent(), name + ".");
    try {
      unpacking.into(aside);
      Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rwxr-xr-x"));
      // An existing folder is never refilled, so it must not lack a file after a power cut.
      Durable.syncTree(aside);
      try {
        Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
        Durable.syncDirectory(target.getParent());
      } catch (IOException e) {
        if (!Files.isDirectory(target)) {
          throw e;
        }
        // Another process was faster and unpacked the same files.
      }
      return target;
    } finally {
      StackFiles.deleteTree(aside);
    }
  }

  /** Removes what a killed process was unpacking; no unpacking takes a day. */
  private static void removeLeftovers(Path target) throws IOException {
    Instant dayAgo = Instant.now().minus(Duration.ofDays(1));
    try (DirectoryStream<Path> leftovers =
        Files.newDirectoryStream(
            target.getParent(), folder -> isAside(folder.getFileName().toString(), target))) {
      for (Path leftover : leftovers) {
        if (Files.getLastModifiedTime(leftover).toInstant().isBefore(dayAgo)) {
          StackFiles.deleteTree(leftover);
        }
      }
    } catch (NoSuchFileException e) {
      // Another process has removed or completed it.
    }
  }

  /** Returns whether a folder has a name from Files.createTempDirectory, which no version has. */
  private static boolean isAside(String name, Path target) {
    return name.matches(Pattern.quote(target.getFileName().toString()) + "\\.\\d{10,20}");
  }

  /**
   * @param place a function from an entry to its path relative to the folder, or null to omit it
   */
  public static void unzip(InputStream archive, Path folder, UnaryOperator<String> place)
      throws IOException {
    ZipInputStream zip = new ZipInputStream(archive);
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      String name = entry.isDirectory() ? null : place.apply(entry.getName());
      if (name != null) {
        Path path = inside(folder, name);
        Files.createDirectories(path.getParent());
        Files.copy(zip, path);
      }
    }
  }

  /**
   * @throws IOException if it would lie outside of the folder
   */
  public static Path inside(Path folder, String name) throws IOException {
    Path path = folder.resolve(name).normalize();
    if (!path.startsWith(folder)) {
      throw new IOException("archive entry " + name + " leaves its folder");
    }
    return path;
  }
}
