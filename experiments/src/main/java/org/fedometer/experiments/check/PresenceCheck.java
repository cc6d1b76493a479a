package org.fedometer.experiments.check;

import java.io.IOException;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.experiments.load.PlannedLoad;

/**
 * Checks whether a load's objects are in a Fedora already, by its first and last one. Stateless.
 */
public final class PresenceCheck {
  private static final String NAME = "objects";
  private static final String ADVICE =
      "Fedora rejects existing PIDs: load with another --namespace NS, or resume the"
          + " earlier load with 'fedometer ingest --resume RUN'.";

  /** For a partly present load, which is begun all the same. */
  private static final String WHAT_FOLLOWS =
      "Existing objects fail and stay unchanged, the others are loaded. If all of the first"
          + " ones fail, the load ends. ";

  private PresenceCheck() {}

  /**
   * @param session has logged in
   */
  public static Check of(PlannedLoad load, FedoraSession session) throws IOException {
    try {
      return query(load, session);
    } catch (FedoraRefusalException e) {
      return Check.unknown(
          NAME, e.getMessage(), "The user may ingest but not read; check the policies.");
    }
  }

  private static Check query(PlannedLoad load, FedoraSession session) throws IOException {
    String first = load.dataset().object(0).pid();
    boolean firstIsThere = session.profile(first).isPresent();
    if (load.objects() == Long.MAX_VALUE || load.objects() < 2) {
      return firstIsThere
          ? Check.problem(NAME, first + " is in Fedora already", ADVICE)
          : Check.ok(NAME, first + " is not in Fedora yet");
    }
    String last = load.dataset().object(load.objects() - 1).pid();
    return bothPresent(first, firstIsThere, last, session.profile(last).isPresent());
  }

  static Check bothPresent(String first, boolean firstIsThere, String last, boolean lastIsThere) {
    if (firstIsThere && lastIsThere) {
      return Check.problem(NAME, first + " and " + last + " are in Fedora already", ADVICE);
    }
    if (firstIsThere || lastIsThere) {
      return Check.warning(
          NAME,
          firstIsThere
              ? first + ", the first one, is in Fedora already, and the last, " + last + ", is not"
              : last + ", the last one, is in Fedora already, and the first, " + first + ", is not",
          WHAT_FOLLOWS + ADVICE);
    }
    return Check.ok(NAME, first + " and " + last + " are not in Fedora yet");
  }
}
