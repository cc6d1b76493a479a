package org.fedometer.collector.segmentlog;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.fedometer.store.segment.SegmentSource;

/**
 * The sources of one run, by who they are and by their number in its segments, and which of them
 * have lost frames to damage. For the journal's thread.
 */
final class RunSources {
  private final RunSegmentLog run;
  private final Map<UUID, Source> byIdentity = new HashMap<>();
  private final TreeMap<Integer, Source> byIndex = new TreeMap<>();
  private final Set<Source> withNewGaps = new LinkedHashSet<>();

  RunSources(RunSegmentLog run) {
    this.run = run;
  }

  /** By their numbers. */
  Collection<Source> all() {
    return Collections.unmodifiableCollection(byIndex.values());
  }

  Source getOrNull(UUID identity) {
    return byIdentity.get(identity);
  }

  boolean hasIndex(int index) {
    return byIndex.containsKey(index);
  }

  int unusedIndex() {
    return byIndex.isEmpty() ? 0 : byIndex.lastKey() + 1;
  }

  /** Whether the sources by these numbers are all that there are. */
  boolean areExactly(Map<Integer, Source> sources) {
    return sources.equals(byIndex);
  }

  /** No other has the index of {@code described}. */
  Source add(SegmentSource described) {
    Source source = new Source(run, described);
    byIdentity.put(source.hello.source(), source);
    byIndex.put(source.index, source);
    return source;
  }

  // ---- frames that damage on the disk has taken ----

  void noteNewGap(Source source) {
    withNewGaps.add(source);
  }

  /** Those of which the open segment does not say yet what they have lost. */
  Set<Source> withNewGaps() {
    return Collections.unmodifiableSet(withNewGaps);
  }

  void forgetNewGaps() {
    withNewGaps.clear();
  }

  /** Counts as missing what there was of each source and is no more. */
  void countLost(Map<UUID, Long> before, Map<UUID, Long> remaining) {
    before.forEach(
        (identity, frames) -> {
          long lost = frames - remaining.getOrDefault(identity, 0L);
          Source source = byIdentity.get(identity);
          if (lost > 0 && source != null) {
            source.framesMissing += lost;
            withNewGaps.add(source);
          }
        });
  }

  /**
   * The next segment says of each source only how far it has come. What the sources have not sent
   * again until now counts as missing.
   */
  void countDamagedAsMissing() {
    for (Source source : byIndex.values()) {
      if (source.hasFramesBeyondDamage()) {
        long newest = source.newestBeyondDamage();
        source.framesMissing += source.missingBefore(newest);
        source.advanceTo(newest);
        withNewGaps.add(source);
      }
    }
  }
}
