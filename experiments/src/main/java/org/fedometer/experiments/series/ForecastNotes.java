package org.fedometer.experiments.series;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.plan.PlannedProfile;
import org.fedometer.experiments.plan.PlannedRun;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.profiles.stack.java.JavaHomes;

/** Remarks of a forecast about this machine: running Fedoras and missing Javas. Stateless. */
final class ForecastNotes {
  private ForecastNotes() {}

  static List<String> of(ExperimentState state) throws IOException, InterruptedException {
    List<String> notes = new ArrayList<>(runningFedoras(state.plan().name()));
    notes.addAll(missingJavas(state));
    return notes;
  }

  private static List<String> runningFedoras(String experiment) throws IOException {
    List<String> notes = new ArrayList<>();
    for (Stack stack : StackRegistry.ofUser().running()) {
      // Remains of a killed run of this experiment are stopped before the first run.
      if (!stack.home().getFileName().toString().startsWith(experiment + ".")) {
        notes.add(
            "A Fedora runs on this machine, in "
                + stack.home()
                + ": it distorts the measurement. 'fedometer stack down --home "
                + ShellWord.of(stack.home().toString())
                + "' ends it, if it is yours.");
      }
    }
    return notes;
  }

  /** Reports early what each profile's first run would report, perhaps after hours. */
  private static List<String> missingJavas(ExperimentState state) throws InterruptedException {
    Set<String> missing =
        state.missing().stream().map(PlannedRun::label).collect(Collectors.toSet());
    Map<List<String>, List<PlannedProfile>> byJava =
        state.plan().profiles().stream()
            .filter(each -> missing.contains(each.label()))
            .collect(
                Collectors.groupingBy(
                    each ->
                        List.of(
                            each.profile().text("jvm.version"), each.profile().text("jvm.home")),
                    LinkedHashMap::new,
                    Collectors.toList()));
    List<String> notes = new ArrayList<>();
    for (List<PlannedProfile> alike : byJava.values()) {
      Optional<String> lack = JavaHomes.problemFor(alike.get(0).profile());
      if (lack.isPresent()) {
        notes.add(
            "No run of "
                + alike.stream().map(PlannedProfile::label).collect(Collectors.joining(", "))
                + " can start here: "
                + lack.get()
                + " In an experiment, give the setting under 'set' of the profile, or leave "
                + (alike.size() == 1 ? "it" : "them")
                + " out of the experiment.");
      }
    }
    return notes;
  }
}
