package org.fedometer.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An experiment as a store has it: the set of its runs, each of which says in its {@code run.json}
 * where in the experiment it stands. Immutable; of its runs one thread at a time may read.
 *
 * @param id its ULID
 * @param baseline the label that the others are compared with
 * @param labels of its profiles, as its file lists them
 * @param runs by their place, of one place the earlier attempt first
 */
public record StoredExperiment(
    String name, String id, String baseline, List<String> labels, List<Run> runs) {

  /** The plan that each run of an experiment carries: a document with everything that decides. */
  public static final String PLAN = "experiment.json";

  public StoredExperiment {
    labels = List.copyOf(labels);
    runs = List.copyOf(runs);
  }

  /**
   * @param counted whether it is the run of its place: it came to its end, with or without failed
   *     objects. Runs that did not are set aside
   */
  public record Run(RunView view, RunDocument document, boolean counted) {

    /** Where in the experiment it stands; never null, nor is its label. */
    public RunDocument.Experiment at() {
      return document.experiment();
    }

    /** The same profile in the same repetition, whatever the attempt. */
    private boolean isSamePlace(Run other) {
      return at().label().equals(other.at().label())
          && at().repetition() == other.at().repetition();
    }
  }

  /** Runs that count: one for each profile and repetition that is done, by their place. */
  public List<Run> counted() {
    return runs.stream().filter(Run::counted).toList();
  }

  /** Runs that did not come to their end and stand for nothing. */
  public List<Run> setAside() {
    return runs.stream().filter(run -> !run.counted()).toList();
  }

  /**
   * @return empty if the store has none of that name
   * @throws IOException one sentence: a run cannot be read, or runs of two experiments of that name
   *     have been copied together
   */
  public static Optional<StoredExperiment> find(StoreView store, String name) throws IOException {
    Set<String> names = new HashSet<>();
    for (RunSummary summary : store.summaries()) {
      if (name.equals(summary.experiment())) {
        names.add(summary.name());
      }
    }
    if (names.isEmpty()) {
      return Optional.empty();
    }
    List<Run> found = new ArrayList<>();
    for (RunView view : store.runs()) {
      if (names.contains(view.name())) {
        RunDocument document = view.document();
        if (isOf(document.experiment(), name)) {
          found.add(new Run(view, document, RunState.isCompleted(document.state())));
        }
      }
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(of(store, name, found));
  }

  /** Whoever may send to a store may send anything. */
  private static boolean isOf(RunDocument.Experiment at, String name) {
    return at != null && name.equals(at.name()) && at.id() != null && at.label() != null;
  }

  private static StoredExperiment of(StoreView store, String name, List<Run> found)
      throws IOException {
    Set<String> ids =
        found.stream().map(run -> run.at().id()).collect(Collectors.toCollection(TreeSet::new));
    if (ids.size() > 1) {
      throw new IOException(
          "In "
              + store.location()
              + " are runs of "
              + ids.size()
              + " experiments that are called "
              + name
              + ": keep each in a store of its own");
    }
    List<Run> ordered = new ArrayList<>(found);
    ordered.sort(
        Comparator.comparingInt((Run run) -> run.at().place())
            .thenComparing(run -> run.at().attempt())
            .thenComparing(run -> run.view().name()));
    List<Run> runs = new ArrayList<>();
    for (Run run : ordered) {
      boolean placeTaken =
          runs.stream().anyMatch(other -> other.counted() && other.isSamePlace(run));
      runs.add(new Run(run.view(), run.document(), run.counted() && !placeTaken));
    }
    RunDocument.Experiment last = runs.get(runs.size() - 1).at();
    return new StoredExperiment(
        name,
        last.id(),
        last.baseline(),
        last.labels() == null
            ? List.of()
            : last.labels().stream().filter(Objects::nonNull).toList(),
        runs);
  }
}
