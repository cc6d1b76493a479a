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
 * Expected objects after a mix: replays every step, without state, for a set of objects. Replay on
 * one thread; reading is thread-safe afterwards.
 */
public final class MixedObjects {

  private final Dataset dataset;
  private final MixResult mix;
  private final LongPredicate notIngested;

  /** Changes by object index; none for an unchanged object. */
  private final Map<Long, Changes> changes = new HashMap<>();

  private final long firstPurged;
  private final long endPurged;

  /** Numbers of steps. */
  private static final class Changes {
    /** The last step that modified the object, or -1; earlier modifications are overwritten. */
    private long modified = -1;

    /** Steps that added a datastream, in order. */
    private List<Long> added = List.of();

    void add(long number) {
      added = added.isEmpty() ? new ArrayList<>(1) : added;
      added.add(number);
    }
  }

  /**
   * @param notIngested true for the index of a failed object
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

  /** Returns the index of the first object that a step has purged. */
  public long firstPurged() {
    return firstPurged;
  }

  /** Returns the index after the last object that a step has purged, or tried to. */
  public long endPurged() {
    return endPurged;
  }

  /** Returns whether the object is in Fedora in a known state. */
  public boolean isCertain(long index) {
    return (index < firstPurged || index >= endPurged)
        && !notIngested.test(index)
        && !mix.uncertain().contains(index);
  }

  /** Returns whether the object was ingested and is certainly gone again. */
  public boolean isCertainlyPurged(long index) {
    return index >= firstPurged
        && index < endPurged
        && !notIngested.test(index)
        && !mix.uncertain().contains(index);
  }

  /** Replays all steps for the given objects. */
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
   * @param object the object without the steps of the mix
   * @return the object after them
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
