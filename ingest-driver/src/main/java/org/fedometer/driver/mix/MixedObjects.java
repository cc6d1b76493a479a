package org.fedometer.driver.mix;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.object.ObjectChanges;

/**
 * What objects must be like after a mix: every step is gone through again, without state, for those
 * that are looked at next. For one thread; what it has made may be read by many.
 */
public final class MixedObjects {

  private final Dataset dataset;
  private final MixResult mix;
  private final LongPredicate notIngested;

  /** What steps did with an object, by its index; none is there for one that none has changed. */
  private final Map<Long, Changes> changes = new HashMap<>();

  private final long firstPurged;
  private final long endPurged;

  /** By the numbers of the steps. */
  private static final class Changes {
    /** The last one that modified it, or -1: of what was before it, nothing is left. */
    private long modified = -1;

    /** Those that added a datastream, in order. */
    private List<Long> added = List.of();

    void add(long number) {
      added = added.isEmpty() ? new ArrayList<>(1) : added;
      added.add(number);
    }
  }

  /**
   * @param notIngested whether the object of an index has failed
   */
  public MixedObjects(Dataset dataset, MixResult mix, LongPredicate notIngested) {
    this.dataset = dataset;
    this.mix = mix;
    this.notIngested = notIngested;
    firstPurged = dataset.leadingObjects();
    endPurged =
        firstPurged
            + new MixOrder(mix.options(), dataset.leadingObjects()).purgesBefore(mix.begun());
  }

  /** Index of the first object that a step has purged. */
  public long firstPurged() {
    return firstPurged;
  }

  /** Index after the last object that a step has purged, or tried to. */
  public long endPurged() {
    return endPurged;
  }

  /** Whether the object is in Fedora, and nobody doubts how it is. */
  public boolean isCertain(long index) {
    return (index < firstPurged || index >= endPurged)
        && !notIngested.test(index)
        && !mix.uncertain().contains(index);
  }

  /** Whether the object was ingested, and is gone again beyond doubt. */
  public boolean isCertainlyPurged(long index) {
    return index >= firstPurged
        && index < endPurged
        && !notIngested.test(index)
        && !mix.uncertain().contains(index);
  }

  /** Goes through all steps for what they did with these objects. */
  public void replay(Collection<Long> indices) {
    changes.clear();
    Mix weights = mix.options().mix();
    if (weights.weight(Operation.MODIFY_DATASTREAM) + weights.weight(Operation.ADD_DATASTREAM)
        == 0) {
      return;
    }
    Set<Long> wanted = new HashSet<>(indices);
    MixOrder order = new MixOrder(mix.options(), dataset.leadingObjects());
    for (long number = 0; number < mix.begun(); number++) {
      MixOrder.MixStep step = order.step(number);
      boolean modifies = step.operation() == Operation.MODIFY_DATASTREAM;
      boolean adds = step.operation() == Operation.ADD_DATASTREAM;
      if ((modifies || adds) && wanted.contains(step.target())) {
        Changes known = changes.computeIfAbsent(step.target(), index -> new Changes());
        if (modifies) {
          known.modified = number;
        } else {
          known.add(number);
        }
      }
    }
  }

  /**
   * @param object as it is without the steps of the mix
   * @return as it is with them
   */
  public RepositoryObject changed(long index, RepositoryObject object) {
    Changes steps = changes.get(index);
    if (steps == null) {
      return object;
    }
    RepositoryObject changed =
        steps.modified < 0 ? object : ObjectChanges.modified(object, steps.modified);
    for (long number : steps.added) {
      changed = ObjectChanges.added(changed, number);
    }
    return changed;
  }
}
