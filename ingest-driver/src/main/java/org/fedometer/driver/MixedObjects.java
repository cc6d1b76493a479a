package org.fedometer.driver;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;

/**
 * What objects must be like after a mix: every step is gone through again, without state, for those
 * few that are looked at. For one thread; what it has made may be read by many.
 */
final class MixedObjects {

  private final Dataset dataset;
  private final MixResult mix;
  private final LongPredicate notIngested;

  /** Steps that changed an object, in order, by its index. */
  private final Map<Long, List<MixOrder.MixStep>> changes = new HashMap<>();

  private final long firstPurged;
  private final long endPurged;

  /**
   * @param notIngested whether the object of an index has failed
   */
  MixedObjects(Dataset dataset, MixResult mix, LongPredicate notIngested) {
    this.dataset = dataset;
    this.mix = mix;
    this.notIngested = notIngested;
    firstPurged = dataset.leadingObjects();
    endPurged =
        firstPurged
            + new MixOrder(mix.options(), dataset.leadingObjects()).purgesBefore(mix.begun());
  }

  /** Index of the first object that a step has purged. */
  long firstPurged() {
    return firstPurged;
  }

  /** Index after the last object that a step has purged, or tried to. */
  long endPurged() {
    return endPurged;
  }

  /** Whether the object is in Fedora, and nobody doubts how it is. */
  boolean isCertain(long index) {
    return (index < firstPurged || index >= endPurged)
        && !notIngested.test(index)
        && !mix.uncertain().contains(index);
  }

  /** Whether the object was ingested, and is gone again beyond doubt. */
  boolean isCertainlyPurged(long index) {
    return index >= firstPurged
        && index < endPurged
        && !notIngested.test(index)
        && !mix.uncertain().contains(index);
  }

  /** Goes through all steps for what they did with these objects. */
  void recall(Collection<Long> indices) {
    changes.clear();
    indices.forEach(index -> changes.put(index, new ArrayList<>()));
    Mix weights = mix.options().mix();
    if (weights.weight(Operation.MODIFY_DATASTREAM) + weights.weight(Operation.ADD_DATASTREAM)
        == 0) {
      return;
    }
    MixOrder order = new MixOrder(mix.options(), dataset.leadingObjects());
    for (long number = 0; number < mix.begun(); number++) {
      MixOrder.MixStep step = order.step(number);
      if (step.operation() == Operation.MODIFY_DATASTREAM
          || step.operation() == Operation.ADD_DATASTREAM) {
        List<MixOrder.MixStep> known = changes.get(step.target());
        if (known != null) {
          known.add(step);
        }
      }
    }
  }

  /**
   * @param object as it is without the steps of the mix
   * @return as it is with them
   */
  RepositoryObject changed(long index, RepositoryObject object) {
    List<MixOrder.MixStep> steps = changes.getOrDefault(index, List.of());
    RepositoryObject changed = object;
    for (MixOrder.MixStep step : steps) {
      if (step.operation() == Operation.MODIFY_DATASTREAM) {
        changed =
            ObjectChanges.modified(object, step.number()); // of what was before, nothing is left
      }
    }
    for (MixOrder.MixStep step : steps) {
      if (step.operation() == Operation.ADD_DATASTREAM) {
        changed = ObjectChanges.added(changed, step.number());
      }
    }
    return changed;
  }
}
