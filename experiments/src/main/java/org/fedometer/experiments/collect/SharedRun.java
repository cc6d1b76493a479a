package org.fedometer.experiments.collect;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.fedometer.driver.request.Shard;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunParts;
import org.fedometer.store.RunView;

/**
 * A run that a driver joins: an agent's, or one that other drivers load, too. Confined to the job's
 * thread, before this driver contributes to it.
 */
public final class SharedRun {
  private final String name;
  private final Shard shard;
  private final boolean begun;
  private final JobListener listener;

  /**
   * @param begun true if an earlier process of this driver is in the run already
   */
  public SharedRun(String name, Shard shard, boolean begun, JobListener listener) {
    this.name = name;
    this.shard = shard;
    this.begun = begun;
    this.listener = listener;
  }

  /**
   * @param ownDocument supplier of this driver's document
   * @throws IllegalArgumentException with a one-sentence message, if this driver cannot be a part
   *     of the run
   */
  public void requireCompatible(RunView run, Supplier<RunDocument> ownDocument) throws IOException {
    if (!run.hasDocument()) {
      return;
    }
    if (!shard.isPart()) {
      if (!run.parts().isEmpty()) {
        throw new IllegalArgumentException(
            name + " is loaded by several drivers, each with a --shard; give another --name");
      }
      return;
    }
    if (!begun && isLoadedByOne(run)) {
      throw new IllegalArgumentException(
          name + " exists already and is loaded by one driver; give the parts another --name");
    }
    Map<String, RunDocument> parts = new TreeMap<>(run.parts());
    if (parts.isEmpty()) {
      return;
    }
    parts.put(RunParts.path(shard.number(), shard.count()), ownDocument.get());
    Optional<String> disagreement = RunParts.disagreement(parts);
    if (disagreement.isPresent() && !begun) {
      throw new IllegalArgumentException(
          "the other drivers of "
              + name
              + " load something else: "
              + disagreement.get()
              + "; give all of them the same options, or this one another --name");
    }
    disagreement.ifPresent(
        text ->
            listener.note(
                "The drivers of "
                    + name
                    + " load different objects, so the run cannot be verified: "
                    + text
                    + "."));
  }

  /** Returns whether it is the load of one driver, rather than the first of several. */
  static boolean isLoadedByOne(RunView run) throws IOException {
    // A part's run.json has the mark until the part's own document exists, which then has it. It is
    // read first, or a part added between the two would look like a whole load.
    RunDocument there = run.document();
    boolean part = there.workload() != null && there.workload().containsKey("shard");
    return there.dataset() != null && !part && run.parts().isEmpty();
  }
}
