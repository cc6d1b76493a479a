package org.fedometer.profiles;

import java.nio.file.Path;

/** The user's folders after the XDG Base Directory Specification. Stateless. */
public final class UserFolders {

  private UserFolders() {}

  /** What can be made again: unpacked database servers, installed Fedoras. */
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

  private static Path folder(String variable, String belowHome) {
    String value = System.getenv(variable);
    // The specification says to ignore relative paths.
    Path base =
        value != null && value.startsWith("/")
            ? Path.of(value)
            : Path.of(System.getProperty("user.home"), belowHome);
    return base.resolve("fedometer");
  }
}
