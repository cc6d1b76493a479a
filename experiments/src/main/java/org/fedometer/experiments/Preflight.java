package org.fedometer.experiments;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.experiments.check.Check;
import org.fedometer.experiments.check.LoadChecks;
import org.fedometer.experiments.check.MemoryCheck;
import org.fedometer.experiments.check.PresenceCheck;
import org.fedometer.experiments.check.RepositoryView;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.FedoraSettings;

/**
 * Quick checks before each run and ingest, without any change in Fedora. Confined to a job's
 * thread.
 */
public final class Preflight {

  private final List<Check> checks;

  private Preflight(List<Check> checks) {
    this.checks = checks;
  }

  /** Checks for a stack yet to be provisioned, on a folder's disk. */
  public static Preflight of(PlannedLoad load, Profile profile, Path disk) {
    List<Check> checks = new ArrayList<>(LoadChecks.of(load, RepositoryView.of(profile, disk)));
    checks.add(MemoryCheck.of(profile));
    return new Preflight(checks);
  }

  /**
   * Checks for a running Fedora; includes its configuration if it is a stack of this user.
   *
   * @param session has logged in
   * @param allNew true if none of the load's objects may exist
   */
  public static Preflight of(
      PlannedLoad load, IngestJobOptions options, FedoraSession session, boolean allNew)
      throws IOException {
    RepositoryView seen =
        RepositoryView.none().queried(options.target().url(), options.target().user(), session, 1);
    List<Check> checks =
        new ArrayList<>(LoadChecks.of(load, withItsHome(seen, options.target().url())));
    if (allNew) {
      checks.add(PresenceCheck.of(load, session));
    }
    return new Preflight(checks);
  }

  private static RepositoryView withItsHome(RepositoryView seen, URI url) {
    try {
      Optional<Path> home = RepositoryView.homeOfStack(url);
      return home.isPresent()
          ? seen.withSettings(FedoraSettings.in(home.get()), home.get().toString())
          : seen;
    } catch (IOException e) {
      return seen; // unreadable settings do not prevent a load
    }
  }

  /**
   * Reports warnings, and fails on problems.
   *
   * @param notes gets a sentence for each warning
   * @throws IOException with a message for the user, if the load would fail
   */
  public void require(Consumer<String> notes) throws IOException {
    checks.stream()
        .filter(check -> check.state() == Check.State.WARNING)
        .forEach(check -> notes.accept("Before the load: " + check.sentence()));
    List<Check> problems =
        checks.stream().filter(check -> check.state() == Check.State.PROBLEM).toList();
    if (!problems.isEmpty()) {
      throw new IOException(
          problems.stream().map(Check::sentence).collect(Collectors.joining(" "))
              + " Nothing was sent. 'fedometer doctor' shows all checks; --no-preflight skips"
              + " them.");
    }
  }
}
