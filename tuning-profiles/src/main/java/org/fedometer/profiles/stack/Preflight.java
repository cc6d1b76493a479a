package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.Ports;
import org.fedometer.profiles.stack.program.ProvisioningException;

/** Checks a machine before any download or write. Stateless. */
final class Preflight {

  /** Fedora's home, an empty database, and temporary files of the installer. */
  private static final long INSTALLATION_BYTES = 700L << 20;

  /** An empty database and its log. */
  private static final long DATABASE_BYTES = 100L << 20;

  /**
   * Fedora's web.xml lists folders in its home, which Spring splits at blanks, commas and
   * semicolons. The other characters are special in Spring's patterns, in URLs, in class paths, or
   * in a database's configuration.
   */
  private static final Pattern INVALID_PATH_CHARACTER = Pattern.compile("[^/\\p{L}\\p{N}._+@~=-]");

  private static final String DATA_FOLDER = "database.dataFolder";

  private static final List<String> FOLDERS = List.of(DATA_FOLDER, "database.walFolder");

  private Preflight() {}

  static void check(Profile profile, StackOptions options)
      throws IOException, ProvisioningException {
    checkSystem();
    checkHome(options.home());
    checkComplete(profile);
    for (String setting : FOLDERS) {
      if (profile.has(setting) && !profile.text(setting).equals("default")) {
        Path folder = Path.of(profile.text(setting));
        checkFolder(setting, folder);
        // A log is overwritten continually.
        long comingBytes = setting.equals(DATA_FOLDER) ? options.expectedDataBytes() : 0;
        checkDisk(folder, DATABASE_BYTES + comingBytes);
      }
    }
    checkDisk(options.home(), INSTALLATION_BYTES + options.expectedDataBytes());
    checkPort(options.httpPort());
  }

  private static void checkComplete(Profile profile) throws ProvisioningException {
    if (!profile.missing().isEmpty()) {
      throw ProvisioningException.preflight(String.join("\n", profile.missing()));
    }
  }

  private static void checkSystem() throws ProvisioningException {
    if (!Files.isReadable(Path.of("/proc/self/stat"))) {
      throw ProvisioningException.preflight(
          "Stacks run only on Linux with /proc mounted; this machine has no readable /proc.");
    }
  }

  static void checkHome(Path home) throws ProvisioningException {
    Matcher invalid = INVALID_PATH_CHARACTER.matcher(home.toString());
    if (invalid.find()) {
      throw ProvisioningException.preflight(
          ("Fedora cannot be installed in %s: it does not support '%s' in a path; choose a"
                  + " folder whose path has letters, digits and ._-+@~= only.")
              .formatted(home, invalid.group()));
    }
  }

  /** Checks a folder without creating it: a mistyped one would be on the wrong disk. */
  static void checkFolder(String setting, Path folder) throws ProvisioningException {
    Matcher invalid = INVALID_PATH_CHARACTER.matcher(folder.toString());
    if (invalid.find()) {
      throw ProvisioningException.preflight(
          ("%s %s: databases do not support '%s' in a path; choose a folder whose path has"
                  + " letters, digits and ._-+@~= only.")
              .formatted(setting, folder, invalid.group()));
    }
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw ProvisioningException.preflight(
          "%s %s is not a writable folder; create it, or name another one."
              .formatted(setting, folder));
    }
  }

  static void checkDisk(Path home, long neededBytes) throws IOException, ProvisioningException {
    Path existing = home;
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (!Files.isWritable(existing)) {
      throw ProvisioningException.preflight(
          "The folder " + existing + " cannot be written to; choose another one.");
    }
    // FileStore would need a mount table entry for this disk, which a chroot lacks.
    long usableBytes = existing.toFile().getUsableSpace();
    if (usableBytes < neededBytes) {
      throw ProvisioningException.preflight(
          ("The disk of %s has %d MiB free, this stack needs about %d MiB; free disk space or choose"
                  + " another folder.")
              .formatted(existing, usableBytes >> 20, neededBytes >> 20));
    }
  }

  static void checkPort(int port) throws ProvisioningException {
    if (port != 0 && !Ports.isFree(port)) {
      throw ProvisioningException.preflight(
          "Port " + port + " of 127.0.0.1 is taken; choose another one, or 0 for any free one.");
    }
  }

  /**
   * @param port that the stack had last, or 0 if never
   */
  static void checkPreviousPort(int port, Path home) throws ProvisioningException {
    if (port != 0 && !Ports.isFree(port)) {
      throw ProvisioningException.preflight(
          "Port %d of 127.0.0.1, which the Fedora in %s had, is taken; give Fedora another one by"
                  .formatted(port, home)
              + " --port PORT, or stop the process that uses it.");
    }
  }
}
