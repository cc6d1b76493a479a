package org.fedometer.experiments.series;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.experiments.host.HostEnvironment;
import org.fedometer.experiments.plan.ExperimentPlan;
import org.fedometer.experiments.plan.PlanDocument;
import org.fedometer.experiments.stack.ProfileRecord;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunView;
import org.fedometer.store.StoreView;
import org.fedometer.store.StoredExperiment;

/**
 * Rejects the resume of an experiment if the store has a different one of its name, or one with
 * another plan. Stateless.
 */
final class ExperimentFit {
  private ExperimentFit() {}

  /**
   * @throws IllegalArgumentException with a message for the user, if the store's runs do not match
   *     the plan
   * @throws IOException if a run's plan cannot be read
   */
  static void require(ExperimentState state, ExperimentOptions options, StoreView store)
      throws IOException {
    ExperimentPlan plan = state.plan();
    if (state.runNames().contains(plan.name())) {
      throw new IllegalArgumentException(
          "a run is called "
              + plan.name()
              + " in "
              + store.location()
              + "; give the experiment another name with --name");
    }
    StoredExperiment stored = state.stored();
    if (stored == null) {
      return;
    }
    if (!options.resume()) {
      throw new IllegalArgumentException(
          store.location()
              + " has "
              + NumberFormats.count(stored.runs().size(), "run")
              + " of an experiment "
              + plan.name()
              + ": resume it with --resume, or give another --name");
    }
    requireSamePlan(plan, stored);
    requireSameProfiles(plan, stored);
    requireHere(options, stored);
  }

  private static void requireSamePlan(ExperimentPlan plan, StoredExperiment stored)
      throws IOException {
    PlanDocument now = PlanDocument.of(plan, stored.id());
    for (StoredExperiment.Run run : stored.runs()) {
      Optional<byte[]> before = planOf(run.view());
      Optional<String> difference =
          before.isPresent() ? now.difference(before.get()) : Optional.empty();
      if (difference.isPresent()) {
        throw new IllegalArgumentException(
            "the file has changed since "
                + run.view().name()
                + " was run: "
                + difference.get()
                + "; an experiment can only be resumed unchanged: give this one another name with"
                + " --name");
      }
    }
  }

  /** Returns empty for a run that was killed early. */
  private static Optional<byte[]> planOf(RunView run) throws IOException {
    if (run.files().stream().noneMatch(file -> file.path().equals(StoredExperiment.PLAN))) {
      return Optional.empty();
    }
    try (InputStream in = run.open(StoredExperiment.PLAN)) {
      return Optional.of(in.readAllBytes());
    }
  }

  /** Detects changed profile files, which the plan does not show. */
  private static void requireSameProfiles(ExperimentPlan plan, StoredExperiment stored) {
    for (StoredExperiment.Run run : stored.counted()) {
      RunDocument.Profile before = run.document().profile();
      if (before == null || before.settings() == null) {
        continue;
      }
      RunDocument.Profile now = ProfileRecord.of(plan.profile(run.at().label()));
      Set<String> names = new TreeSet<>(before.settings().keySet());
      names.addAll(now.settings().keySet());
      for (String name : names) {
        String was = before.settings().get(name);
        String is = now.settings().get(name);
        if (was == null || !was.equals(is)) {
          throw new IllegalArgumentException(
              "the profile "
                  + run.at().label()
                  + " has changed since "
                  + run.view().name()
                  + " was run: "
                  + name
                  + " was "
                  + was
                  + " and is "
                  + is
                  + "; give this experiment another name with --name");
        }
      }
    }
  }

  /**
   * Rejects runs of other hosts. For a store of this host, its lock decides, even if the host was
   * renamed.
   */
  private static void requireHere(ExperimentOptions options, StoredExperiment stored) {
    if (options.collector().isStoreCollector()) {
      return;
    }
    for (StoredExperiment.Run run : stored.runs()) {
      Map<String, String> environment = run.document().environment();
      String host = environment == null ? null : environment.get("host");
      if (KilledRuns.isRunning(run) && host != null && !host.equals(HostEnvironment.hostName())) {
        throw new IllegalArgumentException(
            run.view().name()
                + " is recorded as running on "
                + host
                + "; resume the experiment there, or, if the run was killed, delete it on the"
                + " collector's host: 'fedometer runs rm "
                + run.view().name()
                + "'");
      }
    }
  }
}
