package org.fedometer.driver.fedora;

import java.util.regex.Pattern;
import org.fedometer.datasets.FedoraRules;

/** Validates identifiers for paths by Fedora's rule. Stateless, thread-safe. */
public final class Pid {

  private static final Pattern DATASTREAM = Pattern.compile("[A-Za-z_][A-Za-z0-9._-]{0,63}");

  private Pid() {}

  public static String inPath(String pid) {
    if (!FedoraRules.isPid(pid)) {
      throw new IllegalArgumentException(
          "'"
              + pid
              + "' is not a valid PID: expected namespace:name of at most "
              + FedoraRules.MAX_PID_LENGTH
              + " letters, digits, '.' and '-', in the name also '~', '_' and %XX.");
    }
    return pid.replace("%", "%25");
  }

  public static String datastreamInPath(String id) {
    if (!DATASTREAM.matcher(id).matches()) {
      throw new IllegalArgumentException("'" + id + "' is not a datastream identifier.");
    }
    return id;
  }
}
