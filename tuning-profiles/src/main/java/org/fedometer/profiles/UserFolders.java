package org.fedometer.profiles;

import java.nio.file.Path;

/** The user's folders by the XDG Base Directory Specification. Stateless. */
public final class UserFolders {

  private UserFolders() {}

  /**
   * Returns the folder of reproducible data: unpacked database servers, installed Fedoras,
   * checksums.
   */
  public static Path cache() {
    return folder("XDG_CACHE_HOME", ".cache");
  }

  /** Returns the folder of data that outlives the tool's process: the running stacks. */
  public static Path state() {
    return folder("XDG_STATE_HOME", ".local/state");
  }

  /** Returns the folder of the user's files: profiles. */
  public static Path configuration() {
    return folder("XDG_CONFIG_HOME", ".config");
  }

  /**
   * Returns the user's home: the variable {@code HOME}, or else the entry in passwd. Absolute.
   *
   * @throws IllegalArgumentException if there is neither
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
    // The specification requires ignoring relative paths.
    Path base = value != null && value.startsWith("/") ? Path.of(value) : home().resolve(belowHome);
    return base.resolve("fedometer");
  }
}
