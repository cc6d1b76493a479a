package org.fedometer.experiments.plan;

import java.util.Locale;

/** Preparation of the operating system's page cache before a run. */
public enum PageCache {
  /** Dropped. */
  COLD,
  /** Unchanged. */
  WARM;

  /** Returns the name used in files and {@code run.json}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
