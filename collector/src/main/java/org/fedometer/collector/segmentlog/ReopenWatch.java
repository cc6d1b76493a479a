package org.fedometer.collector.segmentlog;

import java.util.Set;

/**
 * Whether a run has stayed shut since somebody began to look at its folder, so that what was found
 * there is still so. Made and asked on any thread; the journal's thread tells it what is opened.
 *
 * <pre>{@code
 * try (Stillness still = journal.stillness(name)) {
 *   // looks at the folder, which may take long, and then
 *   journal.release(name, () -> {
 *     if (still.holds()) {
 *       // it is as it was, and stays so in here
 *     }
 *   });
 * }
 * }</pre>
 */
public final class ReopenWatch implements AutoCloseable {
  private final String runName;
  private final Set<ReopenWatch> all;
  private volatile boolean wasOpened;

  /** @param all the notified watches; includes this one until closed */
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
