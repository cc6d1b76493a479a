package org.fedometer.analysis.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.store.RunView;
import org.fedometer.store.StoreView;
import org.fedometer.store.StoredExperiment;

/**
 * The profiles to compare, with their runs, as the user names them. Immutable; one thread at a time
 * may read its runs.
 *
 * @param experiment name of the only experiment involved; otherwise null
 * @param profiles two or more, in the order of the command line; labels differ
 * @param baseline one of them, to which the others are compared
 * @param missing labels of experiments' profiles without a run that counts
 * @param remarks notes on what is excluded, a sentence each
 */
public record Lineup(
    String experiment,
    List<Profile> profiles,
    Profile baseline,
    List<String> missing,
    List<String> remarks) {

  public Lineup {
    profiles = List.copyOf(profiles);
    missing = List.copyOf(missing);
    remarks = List.copyOf(remarks);
  }

  /**
   * A profile with its runs.
   *
   * @param label unique within the comparison
   * @param runs one or more
   */
  public record Profile(String label, List<Run> runs) {
    public Profile {
      runs = List.copyOf(runs);
    }
  }

  /**
   * A run to compare.
   *
   * @param document its {@code run.json}; without one, only a name and a state
   */
  public record Run(RunView view, RunDocument document) {

    String name() {
      return view.name();
    }

    /** Returns the block of runs it was interleaved with; null without one. */
    String block() {
      RunDocument.Experiment at = document.experiment();
      return at == null || at.block() == null ? null : at.id() + " " + at.block();
    }

    /** Returns the warm-up objects set by its experiment; null to detect them. */
    Long warmObjects() {
      return document.experiment() == null ? null : document.experiment().warmObjects();
    }

    /** Returns whether the load completed, or was imported; some objects may have failed. */
    boolean cameToItsEnd() {
      return RunState.isCompleted(document.state()) || RunState.IMPORTED.is(document.state());
    }

    private static Run of(RunView view) throws IOException {
      return new Run(view, view.hasDocument() ? view.document() : withoutDocument(view.name()));
    }

    /** Returns the document of a run that was killed before it was written. */
    private static RunDocument withoutDocument(String name) {
      return RunDocument.builder(name, "unknown").build();
    }
  }

  public List<Profile> contenders() {
    return profiles.stream().filter(profile -> !profile.equals(baseline)).toList();
  }

  /** Returns the baseline, then the contenders. */
  public List<Profile> inOrder() {
    List<Profile> order = new ArrayList<>();
    order.add(baseline);
    order.addAll(contenders());
    return order;
  }

  /**
   * Resolves the user's arguments.
   *
   * <ul>
   *   <li>{@code LABEL=RUN,RUN,...} is a profile with these runs.
   *   <li>A run, by name or path, or an experiment, by name. Runs of one experiment and label form
   *       a profile; so do runs of the same profile, dataset and load. A run without a profile
   *       stands alone.
   *   <li>If individually named runs would form only one profile, each stands alone.
   * </ul>
   *
   * No run may occur twice, since it would count twice. The exception is two equal names alone,
   * which compare a run with itself.
   *
   * @param arguments in order
   * @param baselineOrNull label of a profile, or a run of it; null for the experiment's baseline,
   *     else the first profile
   * @throws NoSuchRunException if a run is unknown; the message lists the existing ones
   * @throws IllegalArgumentException if there is nothing to compare, a run is named twice, or the
   *     baseline is unknown, with a sentence for the user
   */
  public static Lineup of(StoreView store, List<String> arguments, String baselineOrNull)
      throws NoSuchRunException, IOException {
    boolean withItself = arguments.size() == 2 && arguments.get(0).equals(arguments.get(1));
    Builder builder = new Builder(store, withItself);
    for (String argument : arguments) {
      builder.add(argument);
    }
    return builder.build(baselineOrNull);
  }

  /** Returns the end of the label in {@code LABEL=RUN,...}; -1 for others, such as a path. */
  private static int labelEnd(String word) {
    int end = word.indexOf('=');
    int slash = word.indexOf('/');
    return end > 0 && (slash < 0 || slash > end) ? end : -1;
  }

  /** Properties shared by runs of the same profile. */
  private record Likeness(
      String experiment,
      String label,
      RunDocument.Profile profile,
      RunDocument.Dataset dataset,
      int workers,
      Double ratePerSecond,
      Map<String, String> workload) {

    static Likeness of(RunDocument run) {
      RunDocument.Experiment at = run.experiment();
      if (at != null && at.label() != null) {
        return new Likeness(String.valueOf(at.id()), at.label(), null, null, 0, null, null);
      }
      return new Likeness(
          null,
          null,
          run.profile(),
          run.dataset(),
          run.workers(),
          run.ratePerSecond(),
          run.workload() == null ? Map.of() : run.workload());
    }

    boolean standsForItself() {
      return label == null && (profile == null || profile.name() == null);
    }

    String name() {
      return label == null ? profile.name() : label;
    }
  }

  private static final class Group {
    private final String name;
    private final Likeness likeness;
    private final List<Run> runs = new ArrayList<>();

    Group(String name, Likeness likenessOrNull) {
      this.name = name;
      this.likeness = likenessOrNull;
    }
  }

  /** For one use, one thread. */
  private static final class Builder {
    private final StoreView store;
    private final List<Group> groups = new ArrayList<>();
    private final Map<Likeness, Group> byLikeness = new LinkedHashMap<>();
    private final Set<String> experiments = new LinkedHashSet<>();
    private final Set<String> seen = new HashSet<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private boolean withItself;
    private boolean runsOnTheirOwn;
    private boolean experimentsHaveEndedRuns;
    private String experimentsBaseline;

    Builder(StoreView store, boolean withItself) {
      this.store = store;
      this.withItself = withItself;
    }

    void add(String argument) throws NoSuchRunException, IOException {
      int label = labelEnd(argument);
      if (label > 0) {
        runsOnTheirOwn = true;
        String name = argument.substring(0, label);
        if (groups.stream().anyMatch(group -> group.likeness == null && group.name.equals(name))) {
          throw new IllegalArgumentException(
              "the label %s is given twice: name all of its runs at once, %s=RUN,RUN"
                  .formatted(name, name));
        }
        Group group = new Group(name, null);
        for (String run : argument.substring(label + 1).split(",", -1)) {
          group.runs.add(once(Run.of(store.run(run))));
        }
        groups.add(group);
        return;
      }
      RunView view;
      try {
        view = store.run(argument);
      } catch (NoSuchRunException e) {
        Optional<StoredExperiment> experiment = StoredExperiment.find(store, argument);
        if (experiment.isEmpty()) {
          throw e;
        }
        add(experiment.get());
        return;
      }
      runsOnTheirOwn = true;
      add(Run.of(view));
    }

    private Run once(Run run) {
      if (!seen.add(identity(run)) && !withItself) {
        throw new IllegalArgumentException(
            "the run %s is named twice, directly or through its experiment: name it once"
                .formatted(run.name()));
      }
      return run;
    }

    private static String identity(Run run) {
      String id = run.document().id();
      return id == null ? "named " + run.name() : id;
    }

    private void add(Run run) {
      once(run);
      Likeness likeness = Likeness.of(run.document());
      if (likeness.standsForItself()) {
        Group alone = new Group(run.name(), null);
        alone.runs.add(run);
        groups.add(alone);
        return;
      }
      Group group = byLikeness.get(likeness);
      if (group == null) {
        group = new Group(likeness.name(), likeness);
        byLikeness.put(likeness, group);
        groups.add(group);
      }
      group.runs.add(run);
    }

    private void add(StoredExperiment experiment) {
      withItself = false;
      experiments.add(experiment.name());
      if (experimentsBaseline == null) {
        experimentsBaseline = experiment.baseline();
      }
      List<StoredExperiment.Run> counted = new ArrayList<>(experiment.counted());
      // In the order of the experiment's file, not of execution.
      for (String label : experiment.labels()) {
        List<StoredExperiment.Run> ofLabel =
            counted.stream().filter(run -> label.equals(run.at().label())).toList();
        ofLabel.forEach(run -> add(new Run(run.view(), run.document())));
        if (ofLabel.isEmpty()) {
          missing.add(label);
          remarks.add(
              "The experiment %s has no finished run of %s: this profile is not compared."
                  .formatted(experiment.name(), label));
        }
        counted.removeIf(run -> label.equals(run.at().label()));
      }
      counted.forEach(run -> add(new Run(run.view(), run.document())));
      for (StoredExperiment.Run aside : experiment.setAside()) {
        experimentsHaveEndedRuns |= !RunState.RUNNING.is(aside.document().state());
        remarks.add(
            "The run %s (%s) is left out: it is not complete, or another run takes its place."
                .formatted(aside.view().name(), aside.document().state()));
      }
    }

    Lineup build(String baselineOrNull) throws IOException {
      if (groups.size() == 1 && groups.get(0).runs.size() > 1 && experiments.isEmpty()) {
        standForThemselves();
      }
      if (groups.size() < 2) {
        throw new IllegalArgumentException(
            groups.isEmpty()
                ? "no run of %s %s"
                    .formatted(
                        String.join(", ", experiments),
                        experimentsHaveEndedRuns ? "is complete" : "has ended yet")
                : "there is no run to compare "
                    + groups.get(0).name
                    + " with: name at least two runs, or an experiment of two profiles"
                    + (missing.isEmpty()
                        ? ""
                        : "; no finished run of " + String.join(", ", missing)));
      }
      List<String> labels = labels();
      List<Profile> profiles = new ArrayList<>();
      for (int i = 0; i < groups.size(); i++) {
        profiles.add(new Profile(labels.get(i), groups.get(i).runs));
      }
      String experiment =
          experiments.size() == 1 && !runsOnTheirOwn ? experiments.iterator().next() : null;
      return new Lineup(experiment, profiles, baseline(profiles, baselineOrNull), missing, remarks);
    }

    private void standForThemselves() {
      List<Run> runs = groups.get(0).runs;
      groups.clear();
      for (Run run : runs) {
        Group alone = new Group(run.name(), null);
        alone.runs.add(run);
        groups.add(alone);
      }
    }

    /**
     * Returns labels. Profiles of one name are distinguished by different choices, else by numbers.
     */
    private List<String> labels() {
      List<String> labels = new ArrayList<>();
      for (Group group : groups) {
        String label = group.name;
        Group first =
            groups.stream()
                .filter(other -> other.name.equals(group.name))
                .findFirst()
                .orElseThrow();
        if (first != group) {
          String choices = otherChoices(first.likeness, group.likeness);
          label = choices.isEmpty() ? label : label + " " + choices;
        }
        String unique = label;
        for (int i = 2; labels.contains(unique); i++) {
          unique = label + " (" + i + ")";
        }
        labels.add(unique);
      }
      return labels;
    }

    private static String otherChoices(Likeness first, Likeness other) {
      List<String> different = new ArrayList<>();
      if (first != null && other != null) {
        Map<String, String> before = choices(first);
        choices(other)
            .forEach(
                (name, choice) -> {
                  if (!Objects.equals(choice, before.get(name))) {
                    different.add(name + "=" + choice);
                  }
                });
        if (!Objects.equals(first.dataset(), other.dataset()) && other.dataset() != null) {
          different.add("dataset=" + other.dataset().name());
        }
        if (first.workers() != other.workers()) {
          different.add("workers=" + other.workers());
        }
      }
      return String.join(" ", different);
    }

    private static Map<String, String> choices(Likeness likeness) {
      return likeness.profile() == null || likeness.profile().choices() == null
          ? Map.of()
          : new TreeMap<>(likeness.profile().choices());
    }

    private Profile baseline(List<Profile> profiles, String wantedOrNull) throws IOException {
      String wanted = wantedOrNull == null ? experimentsBaseline : wantedOrNull;
      if (wanted == null) {
        return profiles.get(0);
      }
      for (Profile profile : profiles) {
        if (profile.label().equals(wanted)) {
          return profile;
        }
      }
      if (wantedOrNull == null) {
        throw new IllegalArgumentException(
            "the experiment's baseline %s has no finished run; name another one with --baseline: %s"
                .formatted(wanted, labels(profiles)));
      }
      String run = runNamed(wantedOrNull);
      for (Profile profile : profiles) {
        if (profile.runs().stream().anyMatch(each -> identity(each).equals(run))) {
          return profile;
        }
      }
      throw new IllegalArgumentException(
          "--baseline %s is neither a compared profile nor one of its runs; there are: %s"
              .formatted(wantedOrNull, labels(profiles)));
    }

    /** Returns null if there is none. */
    private String runNamed(String nameOrPath) throws IOException {
      try {
        return identity(Run.of(store.run(nameOrPath)));
      } catch (NoSuchRunException e) {
        return null;
      }
    }

    private static String labels(List<Profile> profiles) {
      return String.join(", ", profiles.stream().map(Profile::label).toList());
    }
  }
}
