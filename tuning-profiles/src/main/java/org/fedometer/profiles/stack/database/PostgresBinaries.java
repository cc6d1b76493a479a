package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.UnpackedPrograms;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs, unpacked once from a jar with a .txz into the user's cache folder. Safe
 * for several processes at once.
 */
public final class PostgresBinaries {

  private PostgresBinaries() {}

  /**
   * Returns the name of this platform in the artifact's coordinates.
   *
   * @throws ProvisioningException if no binaries are published for it
   */
  public static String platform(String operatingSystem, String architecture)
      throws ProvisioningException {
    if (operatingSystem.toLowerCase(Locale.ROOT).contains("linux")) {
      // Binaries for other platforms may be published, but are untested.
      if (List.of("amd64", "x86_64").contains(architecture)) {
        return "linux-amd64";
      } else if (architecture.equals("aarch64")) {
        return "linux-arm64v8";
      }
    }
    throw ProvisioningException.preflight(
        "PostgreSQL binaries exist for Linux on amd64 and arm64 only, not for %s on %s;"
            + " take a profile with another database.",
        operatingSystem, architecture);
  }

  /** Returns the folder that holds {@code bin/postgres}; unpacks the jar if necessary. */
  static Path unpack(Path jar, Path cache)
      throws IOException, InterruptedException, ProvisioningException {
    return new UnpackedPrograms(cache)
        .of(
            "postgresql",
            jar,
            folder -> {
              try (InputStream file = Files.newInputStream(jar);
                  ZipInputStream zip = new ZipInputStream(file)) {
                unpackArchive(zip, folder, jar);
              }
            });
  }

  private static void unpackArchive(ZipInputStream zip, Path folder, Path jar) throws IOException {
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      if (entry.getName().endsWith(".txz")) {
        unpackTar(new TarArchiveInputStream(new XZInputStream(zip)), folder);
        return;
      }
    }
    throw new IOException(jar + " holds no .txz");
  }

  private static void unpackTar(TarArchiveInputStream tar, Path folder) throws IOException {
    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      Path path = UnpackedPrograms.inside(folder, entry.getName());
      if (entry.isDirectory()) {
        Files.createDirectories(path);
      } else if (entry.isSymbolicLink()) {
        Files.createDirectories(path.getParent());
        Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
      } else {
        Files.createDirectories(path.getParent());
        Files.copy(tar, path);
        Files.setPosixFilePermissions(path, permissions(entry));
      }
    }
  }

  private static Set<PosixFilePermission> permissions(TarArchiveEntry entry) {
    Set<PosixFilePermission> permissions =
        EnumSet.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.OTHERS_READ);
    if ((entry.getMode() & 0100) != 0) {
      permissions.add(PosixFilePermission.OWNER_EXECUTE);
      permissions.add(PosixFilePermission.GROUP_EXECUTE);
      permissions.add(PosixFilePermission.OTHERS_EXECUTE);
    }
    return permissions;
  }
}
