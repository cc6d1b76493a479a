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
 * An experiment in a store: the set of its runs, whose {@code run.json} has their place in it.
 * Immutable; one thread at a time may read its runs.
 *
 * @param id its ULID
 * @param baseline the label for comparison with the others
 * @param labels of its profiles, in its file's order
 * @param runs by place; for one place the earlier attempt first
 */
public record StoredExperiment(
    String name, String id, String baseline, List<String> labels, List<Run> runs) {

  /** The document with the experiment's plan, which each run has. */
  public static final String PLAN = "experiment.json";

  public StoredExperiment {
    labels = List.copyOf(labels);
    runs = List.copyOf(runs);
  }

  /**
   * @param counted true for the run of its place: it completed, with or without failed objects.
   *     Other runs are set aside
   */
  public record Run(RunView view, RunDocument document, boolean counted) {

    /** Returns the place in the experiment; never null, nor is its label. */
    public RunDocument.Experiment at() {
      return document.experiment();
    }

    /** Compares profile and repetition, regardless of the attempt. */
    private boolean isSamePlace(Run other) {
      return at().label().equals(other.at().label())
          && at().repetition() == other.at().repetition();
    }
  }

  /** Returns runs that count: one for each completed profile and repetition, by place. */
  public List<Run> counted() {
    return runs.stream().filter(Run::counted).toList();
  }

  /** Returns runs that did not complete and do not count. */
  public List<Run> setAside() {
    return runs.stream().filter(run -> !run.counted()).toList();
  }

  /**
   * @return empty if the store has none of that name
   * @throws IOException one sentence: a run cannot be read, or runs of two experiments of that name
   *     were copied together
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

  /** Validates the document, since any source may send one. */
  private static boolean isOf(RunDocument.Experiment at, String name) {
    return at != null && name.equals(at.name()) && at.id() != null && at.label() != null;
  }

  private static StoredExperiment of(StoreView store, String name, List<Run> found)
      throws IOException {
    Set<String> ids =
        found.stream().map(run -> run.at().id()).collect(Collectors.toCollection(TreeSet::new));
    if (ids.size() > 1) {
      throw new IOException(
          "The store "
              + store.location()
              + " has runs of "
              + ids.size()
              + " experiments with the name "
              + name
              + "; keep each in its own store");
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
