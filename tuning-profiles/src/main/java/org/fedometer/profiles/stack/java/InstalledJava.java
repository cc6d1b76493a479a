package org.fedometer.profiles.stack.java;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import org.fedometer.profiles.stack.program.Command;

/**
 * A JDK or JRE on this machine.
 *
 * @param home the folder that holds {@code bin/java}
 * @param version the version, such as {@code 17.0.15} or {@code 1.8.0_402}
 * @param vendor the vendor's name for itself, or {@code unknown}
 * @param isHotSpot whether its virtual machine supports a profile's options; others, OpenJ9 in
 *     particular, ignore unknown options
 */
public record InstalledJava(Path home, String version, String vendor, boolean isHotSpot) {

  private static final Pattern OTHER_VIRTUAL_MACHINE = Pattern.compile("(?i)j9");
  private static final Pattern IBM = Pattern.compile("^(IBM|International Business Machines)\\b");

  /**
   * Returns the Java in a folder, or empty if there is none. May also return empty if this thread
   * is interrupted; the interrupt status is then set.
   */
  public static Optional<InstalledJava> in(Path home) {
    if (!Files.isExecutable(home.resolve("bin/java"))) {
      return Optional.empty();
    }
    Properties release = release(home);
    if (release.isEmpty() && home.endsWith("jre")) {
      // The inner JRE of a JDK 8 has no release file.
      release = release(home.getParent());
    }
    String version = release.getProperty("JAVA_VERSION");
    return version == null
        ? fromProgram(home)
        : Optional.of(
            new InstalledJava(
                home,
                version,
                release.getProperty("IMPLEMENTOR", "unknown"),
                isHotSpot(
                    release.getProperty("JVM_VARIANT", ""),
                    release.getProperty("IMPLEMENTOR", ""))));
  }

  /**
   * Returns the properties that the program reports. Debian's Java 8, for example, has no {@code
   * release} file.
   */
  private static Optional<InstalledJava> fromProgram(Path home) {
    String java = home.resolve("bin/java").toString();
    try {
      Command.Result result =
          Command.execute(List.of(java, "-XshowSettings:properties", "-version"));
      Map<String, String> properties = new HashMap<>();
      result
          .output()
          .lines()
          .map(line -> line.strip().split(" = ", 2))
          .filter(property -> property.length == 2)
          .forEach(property -> properties.put(property[0], property[1]));
      String version = properties.get("java.version");
      return result.status() != 0 || version == null
          ? Optional.empty()
          : Optional.of(
              new InstalledJava(
                  home,
                  version,
                  properties.getOrDefault("java.vendor", "unknown"),
                  isHotSpot(
                      properties.getOrDefault("java.vm.name", ""),
                      properties.getOrDefault("java.vendor", ""))));
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * Returns whether it is HotSpot. IBM's files do not always name OpenJ9, its only virtual machine.
   */
  private static boolean isHotSpot(String virtualMachine, String vendor) {
    return !OTHER_VIRTUAL_MACHINE.matcher(virtualMachine).find() && !IBM.matcher(vendor).find();
  }

  /**
   * Returns the properties of the {@code release} file without quotes; empty if there is none.
   * Every JDK and JRE since 9 has the file, and some of 8.
   */
  private static Properties release(Path home) {
    Properties release = new Properties();
    Path file = home.resolve("release");
    if (Files.isReadable(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        release.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        release.clear();
      }
    }
    release.replaceAll((name, value) -> value.toString().replaceAll("^\"|\"$", ""));
    return release;
  }

  /**
   * Returns the feature version, 17 of {@code 17.0.15} and 8 of {@code 1.8.0_402}; 0 if unknown.
   */
  public int feature() {
    return featureOf(version);
  }

  /** Returns the {@link #feature} of any version that begins with a number. */
  public static int featureOf(String version) {
    String[] parts = version.split("[.+_-]");
    try {
      int first = Integer.parseInt(parts[0]);
      return first == 1 && parts.length > 1 ? Integer.parseInt(parts[1]) : first;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
