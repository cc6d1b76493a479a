package org.fedometer.experiments.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.object.ProbeObject;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.load.PlannedLoad;

/**
 * Examines a running Fedora before a load. Call {@link #examine} once, on one thread; {@link
 * #interrupt} is thread-safe.
 */
public final class Doctor {

  public static final String OTHER_LOGIN =
      "Give another --user or --password-file. Changes in fedora-users.xml take effect at"
          + " Fedora's next start.";

  /** Over a second and a half, which reveals a clock difference of a second and a half. */
  private static final int CLOCK_QUERIES = 8;

  private final FedoraLogin fedora;
  private final PlannedLoad load;
  private final RepositoryView seen;
  private volatile ProbeObject probe;
  private volatile boolean interrupted;

  /**
   * @param seen facts that are known without a query
   */
  public Doctor(FedoraLogin fedora, PlannedLoad load, RepositoryView seen) {
    this.fedora = fedora;
    this.load = load;
    this.seen = seen;
  }

  /** Cancels a probe under way, which is purged all the same, and prevents further ones. */
  public void interrupt() {
    interrupted = true;
    ProbeObject sent = probe;
    if (sent != null) {
      sent.interrupt();
    }
  }

  /**
   * @param probeNamespace of the PID of a probe; empty for none
   * @throws IOException if Fedora cannot be reached
   */
  public List<Check> examine(Optional<String> probeNamespace) throws IOException {
    try (FedoraClient client = FedoraClient.open(fedora, FedoraClientOptions.forWorkers(2));
        FedoraSession session = client.newSession()) {
      RepositoryView view;
      try {
        session.login();
        view = seen.queried(fedora.url(), fedora.user(), session, CLOCK_QUERIES);
      } catch (LoginRefusedException e) {
        return List.of(Check.problem("fedora", e.getMessage(), OTHER_LOGIN));
      }
      List<Check> checks = new ArrayList<>(LoadChecks.of(load, view));
      checks.add(PresenceCheck.of(load, session));
      if (probeNamespace.isPresent() && !interrupted) {
        checks.add(sendProbe(client, probeNamespace.get(), view));
      }
      return checks;
    }
  }

  private Check sendProbe(FedoraClient client, String namespace, RepositoryView view) {
    String name = "probe";
    try {
      probe = new ProbeObject(client, namespace, load.content(), view.hasTriples());
      if (interrupted) {
        probe.interrupt();
      }
      ProbeObject.Outcome outcome = probe.send();
      if (outcome.remains().isPresent()) {
        return Check.problem(
            name,
            outcome.problem().map(problem -> problem + " ").orElse("") + outcome.remains().get(),
            "Purge what is left of " + outcome.pid() + ", or run 'fedometer stack repair'.");
      }
      if (outcome.problem().isPresent()) {
        return Check.problem(
            name,
            outcome.problem().get(),
            "See Fedora's log for the reason; nothing of " + outcome.pid() + " is left.");
      }
      return Check.ok(
          name, outcome.pid() + " was ingested, read back equal and purged; nothing of it is left");
    } catch (IOException e) {
      return Check.problem(name, Reason.of(e), "Nothing was sent. Fix this and try again.");
    }
  }
}
