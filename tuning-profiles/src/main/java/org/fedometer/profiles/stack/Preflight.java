package org.fedometer.profiles.stack;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.Profile;

/** Checks a machine before anything is downloaded or written. */
final class Preflight {

  /** Fedora's home, an empty database, and what the installer needs meanwhile. */
  private static final long INSTALLATION_BYTES = 700L << 20;

  private static final Pattern TROUBLE_IN_A_HOME = Pattern.compile("[^/\\p{L}\\p{N}._+@~=-]");

  private Preflight() {}

  static void check(Profile profile, StackOptions options)
      throws IOException, ProvisioningException {
    checkSystem();
    checkHome(options.home());
    checkJava(options.javaHome(), profile.number("jvm.minimumVersion"));
    checkDisk(options.home(), INSTALLATION_BYTES + options.expectedDataBytes());
    checkPort(options.httpPort());
    if (profile.choice(Dimension.DATABASE).equals("postgresql")) {
      PostgresBinaries.platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    }
  }

  private static void checkSystem() throws ProvisioningException {
    if (!Files.isReadable(Path.of("/proc/self/stat"))) {
      throw failure("Fedometer runs stacks on Linux, with /proc mounted; this machine has none.");
    }
  }

  /**
   * Fedora's web.xml names folders below its home in a list that Spring splits at blanks, commas
   * and semicolons; the other characters mean something in Spring's patterns, in URLs, or in class
   * paths.
   */
  static void checkHome(Path home) throws ProvisioningException {
    Matcher trouble = TROUBLE_IN_A_HOME.matcher(home.toString());
    if (trouble.find()) {
      throw failure(
          ("Fedora cannot live in %s: it stumbles over '%s' in a path; choose a folder whose"
                  + " path has letters, digits and ._-+@~= only.")
              .formatted(home, trouble.group()));
    }
  }

  /** Checks Fedora's Java by the {@code release} file that every JDK and JRE since 9 has. */
  static void checkJava(Path javaHome, int minimum) throws ProvisioningException {
    String version = javaRelease(javaHome).getProperty("JAVA_VERSION");
    if (version == null || !Files.isExecutable(javaHome.resolve("bin/java"))) {
      throw failure(
          "There is no Java in "
              + javaHome
              + "; name the folder of a JDK or JRE that holds bin/java and a file named release.");
    }
    int feature = featureOf(version);
    if (feature < minimum) {
      throw failure(
          ("Fedora's Java must be %d or newer, %s holds %s; install one (Debian and Ubuntu:"
                  + " apt-get install openjdk-17-jre-headless).")
              .formatted(minimum, javaHome, version));
    }
  }

  /**
   * The properties of a Java's {@code release} file, without their quotes; empty if it has none.
   */
  static Properties javaRelease(Path javaHome) {
    Properties release = new Properties();
    Path file = javaHome.resolve("release");
    if (Files.isReadable(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        release.load(reader);
      } catch (IOException e) {
        release.clear();
      }
    }
    release.replaceAll((name, value) -> value.toString().replaceAll("^\"|\"$", ""));
    return release;
  }

  /** 17 of {@code 17.0.15}, 8 of {@code 1.8.0_402}. */
  static int featureOf(String version) {
    String[] parts = version.split("[.+_-]");
    try {
      int first = Integer.parseInt(parts[0]);
      return first == 1 && parts.length > 1 ? Integer.parseInt(parts[1]) : first;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  static void checkDisk(Path home, long neededBytes) throws IOException, ProvisioningException {
    Path existing = home;
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    // Not through FileStore, which needs a mount table that names this disk: a chroot has none.
    long usableBytes = existing.toFile().getUsableSpace();
    if (usableBytes < neededBytes) {
      throw failure(
          ("The disk of %s has %d MiB free, this stack needs about %d MiB; make room or choose"
                  + " another folder.")
              .formatted(existing, usableBytes >> 20, neededBytes >> 20));
    }
    if (!Files.isWritable(existing)) {
      throw failure("The folder " + existing + " cannot be written to; choose another one.");
    }
  }

  static void checkPort(int port) throws ProvisioningException {
    if (port != 0 && !Ports.isFree(port)) {
      throw failure(
          "Port " + port + " of 127.0.0.1 is taken; choose another one, or 0 for any free one.");
    }
  }

  private static ProvisioningException failure(String sentence) {
    return new ProvisioningException(ProvisioningStep.PREFLIGHT, sentence, null);
  }
}
