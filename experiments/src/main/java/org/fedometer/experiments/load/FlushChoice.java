package org.fedometer.experiments.load;

import java.util.Map;

/**
 * Requested flushes of the triplestore during a load of ingests only.
 *
 * @param flushEvery number of objects after which Fedora flushes its triples; at least 1
 */
public record FlushChoice(long flushEvery) implements OperationsChoice {

  @Override
  public Map<String, String> facts() {
    return Map.of("flushEvery", Long.toString(flushEvery));
  }
}
