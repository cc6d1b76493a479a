package org.fedometer.experiments.plan;

import java.util.Locale;

/** What becomes of the operating system's page cache before a run. */
public enum PageCache {
  /** Dropped. */
  COLD,
  /** Left as it is. */
  WARM;

  /** As files and {@code run.json} name it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
