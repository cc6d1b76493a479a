package org.fedometer.profiles;

import java.nio.file.Path;

/** The user's folders after the XDG Base Directory Specification. Stateless. */
public final class UserFolders {

  private UserFolders() {}

  /** What can be made again: unpacked database servers, installed Fedoras, checksums. */
  public static Path cache() {
    return folder("XDG_CACHE_HOME", ".cache");
  }

  /** What should outlive a restart of the tool: which stacks run. */
  public static Path state() {
    return folder("XDG_STATE_HOME", ".local/state");
  }

  /** What the user writes: profiles. */
  public static Path configuration() {
    return folder("XDG_CONFIG_HOME", ".config");
  }

  /**
   * The user's home: the variable {@code HOME}; without it what passwd says. Absolute.
   *
   * @throws IllegalArgumentException neither says one
   */
  public static Path home() {
    return home(System.getenv("HOME"), System.getProperty("user.home"));
  }

  static Path home(String variable, String ofPasswd) {
    for (String home : new String[] {variable, ofPasswd}) {
      if (home != null && home.startsWith("/")) {
        return Path.of(home);
      }
    }
    throw new IllegalArgumentException(
        "this user has no home folder here: neither the variable HOME nor passwd names one; set"
            + " HOME to an absolute path");
  }

  private static Path folder(String variable, String belowHome) {
    String value = System.getenv(variable);
    // The specification says to ignore relative paths.
    Path base = value != null && value.startsWith("/") ? Path.of(value) : home().resolve(belowHome);
    return base.resolve("fedometer");
  }
}
