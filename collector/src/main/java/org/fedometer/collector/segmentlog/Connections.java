package org.fedometer.collector.segmentlog;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Connected sources and their heartbeats. For the segment log's thread, except statistics. */
final class Connections {
  private final Duration heartbeat;
  private final Map<SourceConnection, Source> sources = new HashMap<>();
  private long lastHeartbeatNanos = System.nanoTime();

  private boolean statsOutdated;

  // Statistics, written by the segment log's thread only.
  private volatile int count;
  private volatile Map<String, Set<UUID>> byRun = Map.of();

  Connections(Duration heartbeat) {
    this.heartbeat = heartbeat;
  }

  /** Returns the number as of the last {@link #updateStats}; any thread. */
  int count() {
    return count;
  }

  /** Returns sources by run name, as of the last {@link #updateStats}; any thread. */
  Map<String, Set<UUID>> byRun() {
    return byRun;
  }

  void updateStats() {
    count = sources.size();
    if (statsOutdated) {
      statsOutdated = false;
      Map<String, Set<UUID>> found = new HashMap<>();
      for (Source source : sources.values()) {
        found
            .computeIfAbsent(source.run.folder().name(), name -> new HashSet<>())
            .add(source.hello.source());
      }
      byRun = Map.copyOf(found);
    }
  }

  /** Returns null for a connection that was refused or replaced meanwhile. */
  Source sourceOf(SourceConnection connection) {
    return sources.get(connection);
  }

  /** Returns a copy. */
  List<SourceConnection> all() {
    return new ArrayList<>(sources.keySet());
  }

  void put(SourceConnection connection, Source source) {
    sources.put(connection, source);
    statsOutdated = true;
  }

  /** Returns the connection's source, or null. */
  Source remove(SourceConnection connection) {
    Source source = sources.remove(connection);
    statsOutdated |= source != null;
    return source;
  }

  void heartbeatIfDue() {
    long now = System.nanoTime();
    if (now - lastHeartbeatNanos >= heartbeat.toNanos()) {
      lastHeartbeatNanos = now;
      sources.values().forEach(Source::acknowledge);
    }
  }
}
