package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds a way to run PostgreSQL, which refuses to run as root, as somebody else. Tried for real in
 * the folder that it will work in, since containers forbid different things.
 */
final class PostgresUser {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final List<List<String>> WAYS =
      List.of(
          // A user namespace: still root's files and rights of an owner, but no longer user 0.
          List.of("unshare", "--user", "--"),
          // Where a container forbids that: nobody, who may still enter root's folders.
          List.of(
              "setpriv",
              "--reuid=65534",
              "--regid=65534",
              "--clear-groups",
              "--inh-caps=+dac_override",
              "--ambient-caps=+dac_override",
              "--"),
          List.of("runuser", "-u", "nobody", "--"));

  private PostgresUser() {}

  /**
   * The command to put before PostgreSQL's programs; empty for a user who is not root.
   *
   * @param workFolder where PostgreSQL will write
   * @throws ProvisioningException if there is none on this machine
   */
  static List<String> prefix(Path workFolder, Path log)
      throws IOException, InterruptedException, ProvisioningException {
    if ((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") != 0) {
      return List.of();
    }
    for (List<String> way : WAYS) {
      if (Command.isOnSearchPath(way.get(0)) && works(way, workFolder, log)) {
        return way;
      }
    }
    throw new ProvisioningException(
        ProvisioningStep.PREFLIGHT,
        "PostgreSQL does not run as root, and neither unshare, setpriv nor runuser can become another user here; run Fedometer as a normal user.",
        log);
  }

  private static boolean works(List<String> way, Path workFolder, Path log)
      throws IOException, InterruptedException {
    Path trial = workFolder.resolve("trial-of-another-user");
    List<String> command = new ArrayList<>(way);
    command.addAll(
        List.of("sh", "-c", "test \"$(id -u)\" != 0 && echo ok > trial-of-another-user"));
    try {
      return new Command(command, workFolder, log).run("", TIMEOUT) == 0 && Files.exists(trial);
    } finally {
      Files.deleteIfExists(trial);
    }
  }
}
