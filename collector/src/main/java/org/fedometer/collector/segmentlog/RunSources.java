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
 * Sources of one run, by identity and by number in its segments, and those that have lost frames to
 * damage. For the segment log's thread.
 */
final class RunSources {
  private final RunSegmentLog run;
  private final Map<UUID, Source> byIdentity = new HashMap<>();
  private final TreeMap<Integer, Source> byIndex = new TreeMap<>();
  private final Set<Source> withNewGaps = new LinkedHashSet<>();

  RunSources(RunSegmentLog run) {
    this.run = run;
  }

  /** Returns sources by number. */
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

  /** Returns whether these are all sources, by number. */
  boolean areExactly(Map<Integer, Source> sources) {
    return sources.equals(byIndex);
  }

  /** Adds a source; the index of {@code described} must be unused. */
  Source add(SegmentSource described) {
    Source source = new Source(run, described);
    byIdentity.put(source.hello.source(), source);
    byIndex.put(source.index, source);
    return source;
  }

  // ---- frames lost to disk damage ----

  void noteNewGap(Source source) {
    withNewGaps.add(source);
  }

  /** Returns sources whose losses are not yet in the open segment. */
  Set<Source> withNewGaps() {
    return Collections.unmodifiableSet(withNewGaps);
  }

  void forgetNewGaps() {
    withNewGaps.clear();
  }

  /** Counts the frames that each source lost as missing. */
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
   * Counts as missing all frames that sources have not resent so far. The next segment only stores
   * each source's last sequence.
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
