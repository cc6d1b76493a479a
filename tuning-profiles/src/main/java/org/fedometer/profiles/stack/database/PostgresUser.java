package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.profiles.stack.program.Command;

/**
 * As whom PostgreSQL can be run: it refuses root, and a user without an entry in the password file.
 * What a machine permits, containers above all, only a trial can tell; these are the ways to try.
 * Stateless.
 */
final class PostgresUser {

  private static final List<String> CURRENT_USER = List.of();

  /** In a user namespace: still with an owner's rights, but as nobody. */
  private static final List<String> USER_NAMESPACE = List.of("unshare", "--user", "--");

  /**
   * Really as nobody, who may enter folders that are closed to him, such as root's. The secure bit
   * keeps that right in access(2), by which PostgreSQL looks for its programs.
   */
  private static final List<String> NOBODY_WITH_DAC_OVERRIDE =
      List.of(
          "setpriv",
          "--securebits=+no_setuid_fixup",
          "--reuid=65534",
          "--regid=65534",
          "--clear-groups",
          "--inh-caps=+dac_override",
          "--ambient-caps=+dac_override",
          "--");

  private static final List<String> NOBODY = List.of("runuser", "-u", "nobody", "--");

  private PostgresUser() {}

  /**
   * Commands to put before PostgreSQL's programs, best first; an empty one means none is needed.
   */
  static List<List<String>> commandPrefixes() throws IOException {
    boolean root = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    List<List<String>> prefixes =
        root
            ? List.of(USER_NAMESPACE, NOBODY_WITH_DAC_OVERRIDE, NOBODY)
            : List.of(CURRENT_USER, USER_NAMESPACE);
    return prefixes.stream()
        .filter(way -> way.isEmpty() || Command.isOnSearchPath(way.get(0)))
        .toList();
  }
}
