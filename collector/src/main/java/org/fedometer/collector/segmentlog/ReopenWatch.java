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

  /** {@code all} are told; this one is among them until it is closed. */
  ReopenWatch(String runName, Set<ReopenWatch> all) {
    this.runName = runName;
    this.all = all;
    all.add(this);
  }

  /** Whether no source has opened the run, nor had it open at the beginning. */
  public boolean isUnopened() {
    return !wasOpened;
  }

  void runOpened(String name) {
    if (name.equals(runName)) {
      wasOpened = true;
    }
  }

  /** From now on it does not hold: nobody tells it any more. */
  @Override
  public void close() {
    wasOpened = true;
    all.remove(this);
  }
}
