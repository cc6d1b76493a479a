package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.profiles.stack.program.Command;

/**
 * The users as which PostgreSQL can run. It refuses root, and users without an entry in the
 * password file. Only a trial shows what a machine permits, containers in particular. Stateless.
 */
final class PostgresUser {

  private static final List<String> CURRENT_USER = List.of();

  /** In a user namespace: with the owner's rights, but under the user name nobody. */
  private static final List<String> USER_NAMESPACE = List.of("unshare", "--user", "--");

  /**
   * As the user nobody, with the right to enter closed folders such as root's. The secure bit keeps
   * that right in access(2), with which PostgreSQL looks for its programs.
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
   * Returns commands to put before PostgreSQL's programs, best first. An empty one means that none
   * is needed.
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
