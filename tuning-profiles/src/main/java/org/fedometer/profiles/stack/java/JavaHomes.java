package org.fedometer.profiles.stack.java;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.UserFolders;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.XmlFile;
import org.w3c.dom.Element;

/**
 * Finds the Java that a profile requires in the usual places: {@code JAVA_HOME_17_X64} and similar
 * variables, {@code JAVA_HOME}, the running Java, Maven's {@code toolchains.xml}, the
 * distribution's folder, and SDKMAN's. Any thread.
 */
public final class JavaHomes {

  private final Map<String, String> environment;
  private final Path userHome;
  private final Path distribution;

  /** Pattern for the ending of variable names for this machine. */
  private final String processor;

  /**
   * @param userHome the folder that holds {@code .m2} and {@code .sdkman}
   * @param distribution the folder of the system's Javas
   * @param architecture the architecture of this machine, as in the property os.arch
   */
  JavaHomes(
      Map<String, String> environment, Path userHome, Path distribution, String architecture) {
    this.environment = new TreeMap<>(environment);
    this.processor =
        switch (architecture) {
          case "amd64", "x86_64" -> "x64|amd64|x86_64";
          case "aarch64" -> "arm64|aarch64";
          default -> Pattern.quote(architecture);
        };
    this.userHome = userHome;
    this.distribution = distribution;
  }

  /**
   * Returns an instance for this process's variables, this user's home and {@code /usr/lib/jvm}.
   */
  public static JavaHomes ofMachine() {
    return new JavaHomes(
        System.getenv(),
        UserFolders.home(),
        Path.of("/usr/lib/jvm"),
        System.getProperty("os.arch"));
  }

  /** Returns the folder of a HotSpot for each version number on this machine. */
  public static SortedMap<Integer, Path> found() {
    SortedMap<Integer, Path> found = new TreeMap<>();
    for (Path home : ofMachine().candidates()) {
      InstalledJava.in(home)
          .filter(InstalledJava::isHotSpot)
          .ifPresent(java -> found.putIfAbsent(java.feature(), home));
    }
    return found;
  }

  /**
   * Returns why this machine's Javas do not suit a profile, in sentences that explain how to get
   * one; empty if one suits. Looks into folders, and runs a Java that has no version file.
   *
   * @throws InterruptedException if interrupted while one runs
   */
  public static Optional<String> problemFor(Profile profile) throws InterruptedException {
    try {
      ofMachine().forProfile(profile);
      return Optional.empty();
    } catch (ProvisioningException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * @throws ProvisioningException if this machine has none of that version, or the profile's folder
   *     holds another one; explains how to get it
   */
  public InstalledJava forProfile(Profile profile)
      throws ProvisioningException, InterruptedException {
    try {
      return find(profile);
    } catch (ProvisioningException e) {
      // After an interrupt, a Java that was just running may seem missing.
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw e;
    }
  }

  private InstalledJava find(Profile profile) throws ProvisioningException {
    int feature = profile.javaVersion();
    String named = profile.text("jvm.home");
    if (!named.equals("auto")) {
      return named(Path.of(named), feature);
    }
    if (profile.isOnCurrentJava()) {
      return named(Path.of(System.getProperty("java.home")), feature);
    }
    return candidates(feature).stream()
        .flatMap(home -> InstalledJava.in(home).stream())
        .filter(java -> java.feature() == feature && java.isHotSpot())
        .findFirst()
        .orElseThrow(() -> missing(feature));
  }

  private static InstalledJava named(Path home, int feature) throws ProvisioningException {
    Optional<InstalledJava> java = InstalledJava.in(home);
    if (java.isEmpty()) {
      throw ProvisioningException.preflight(
          "There is no Java in "
              + home
              + " that runs; name the folder of a JDK or JRE, which holds bin/java.");
    }
    if (java.get().feature() != feature) {
      throw ProvisioningException.preflight(
          ("%s holds Java %s, the profile needs %d; name another folder with --set"
                  + " jvm.home=DIR, or choose --set jvm=%d.")
              .formatted(home, java.get().version(), feature, java.get().feature()));
    }
    if (!java.get().isHotSpot()) {
      throw ProvisioningException.preflight(
          ("The Java in %s is not a HotSpot JVM: it ignores unknown options, so that"
                  + " another garbage collector than the profile's may run; name another folder with"
                  + " --set jvm.home=DIR.")
              .formatted(home));
    }
    return java.get();
  }

  private ProvisioningException missing(int feature) {
    Set<Integer> others = new TreeSet<>();
    String noHotSpot = "";
    for (Path home : candidates(feature)) {
      Optional<InstalledJava> java = InstalledJava.in(home);
      if (java.isPresent() && java.get().isHotSpot()) {
        others.add(java.get().feature());
      } else if (java.isPresent() && java.get().feature() == feature) {
        noHotSpot = " (the one in " + home + " is not a HotSpot JVM, which a profile needs)";
      }
    }
    return ProvisioningException.preflight(
        ("This machine has no Java %1$d%2$s%3$s. Install one (Debian and Ubuntu: apt-get install"
                + " openjdk-%1$d-jre-headless where they have it; SDKMAN: sdk install java, with a"
                + " version that sdk list java shows), or name its folder with --set jvm.home=DIR"
                + " or JAVA_HOME_%1$d_X64.")
            .formatted(
                feature,
                others.isEmpty()
                    ? ""
                    : ", only "
                        + others.stream().map(Object::toString).collect(Collectors.joining(", ")),
                noHotSpot));
  }

  /** Returns folders that may hold a Java, the most explicit ones first. */
  private Set<Path> candidates(int feature) {
    return candidates(Integer.toString(feature));
  }

  private Set<Path> candidates() {
    return candidates("[0-9]+");
  }

  private Set<Path> candidates(String feature) {
    Set<Path> homes = new LinkedHashSet<>();
    environment.forEach(
        (name, value) -> {
          // GitHub's runners and others use these names, one for each kind of processor.
          if (name.matches("JAVA_HOME_" + feature + "(_(?i:" + processor + "))?")) {
            add(homes, value);
          }
        });
    add(homes, environment.get("JAVA_HOME"));
    add(homes, System.getProperty("java.home"));
    homes.addAll(toolchains());
    homes.addAll(below(distribution));
    homes.addAll(below(userHome.resolve(".sdkman/candidates/java")));
    return homes;
  }

  private static void add(Set<Path> homes, String folder) {
    if (folder != null && folder.startsWith("/")) {
      homes.add(Path.of(folder).normalize());
    }
  }

  private List<Path> toolchains() {
    Path file = userHome.resolve(".m2/toolchains.xml");
    List<Path> homes = new ArrayList<>();
    if (Files.isRegularFile(file)) {
      try {
        for (Element home : XmlFile.read(file).all("jdkHome")) {
          Path path = Path.of(home.getTextContent().strip());
          if (path.isAbsolute()) {
            homes.add(path);
          }
        }
      } catch (IOException e) {
        // Maven reports faults in it; here it just names no Java.
        homes.clear();
      }
    }
    return homes;
  }

  private static Set<Path> below(Path folder) {
    Set<Path> homes = new TreeSet<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder)) {
        for (Path home : folders) {
          homes.add(home);
          homes.add(home.resolve("jre"));
        }
      } catch (IOException e) {
        homes.clear();
      }
    }
    return homes;
  }
}
