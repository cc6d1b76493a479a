package org.fedometer.collector.segmentlog;

import java.util.Set;

/**
 * Detects whether a run was opened since a caller began to examine its folder, so that the findings
 * are still valid. Used on any thread; the segment log's thread reports opened runs.
 *
 * <pre>{@code
 * try (ReopenWatch watch = segmentLog.watchReopening(name)) {
 *   // examine the folder, which may take long, then:
 *   segmentLog.release(name, () -> {
 *     if (watch.isUnopened()) {
 *       // the folder is unchanged, and stays so in here
 *     }
 *   });
 * }
 * }</pre>
 */
public final class ReopenWatch implements AutoCloseable {
  private final String runName;
  private final Set<ReopenWatch> all;
  private volatile boolean wasOpened;

  /**
   * @param all the notified watches; includes this one until closed
   */
  ReopenWatch(String runName, Set<ReopenWatch> all) {
    this.runName = runName;
    this.all = all;
    all.add(this);
  }

  /** Returns whether the run was not open at the start and no source has opened it since. */
  public boolean isUnopened() {
    return !wasOpened;
  }

  void runOpened(String name) {
    if (name.equals(runName)) {
      wasOpened = true;
    }
  }

  /** Ends the watch; {@link #isUnopened} is false from then on. */
  @Override
  public void close() {
    wasOpened = true;
    all.remove(this);
  }
}
