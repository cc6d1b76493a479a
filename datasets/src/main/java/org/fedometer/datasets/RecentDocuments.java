package org.fedometer.datasets;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The documents that were read last, by their numbers: small directories that are gone through
 * again and again are parsed once. Used by all workers.
 */
public final class RecentDocuments<T> {

  private static final int MOST = 256;

  private final Map<Integer, T> documents =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, T> eldest) {
          return size() > MOST;
        }
      };

  /** Null if it has to be read. */
  public synchronized T get(int number) {
    return documents.get(number);
  }

  /** Keeps one that was read. */
  public synchronized void put(int number, T document) {
    documents.put(number, document);
  }
}
