package org.fedometer.datasets;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Cache of the most recently read documents, so that small directories are parsed once.
 * Thread-safe.
 */
public final class RecentDocuments<T> {

  private static final int MAX_DOCUMENTS = 256;

  private final Map<Integer, T> documents =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, T> eldest) {
          return size() > MAX_DOCUMENTS;
        }
      };

  /** Returns the document; null if it must be read. */
  public synchronized T get(int number) {
    return documents.get(number);
  }

  public synchronized void put(int number, T document) {
    documents.put(number, document);
  }
}
