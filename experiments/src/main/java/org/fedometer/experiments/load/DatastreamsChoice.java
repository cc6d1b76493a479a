package org.fedometer.experiments.load;

import java.util.LinkedHashMap;
import java.util.Map;

/** A study that a user asked for, which adds up to so many datastreams to one object. */
public record DatastreamsChoice(long upTo) implements OperationsChoice {
  /** What the run's document calls it. */
  public static final String NAME = "datastreams";

  public DatastreamsChoice {
    if (upTo < 1) {
      throw new IllegalArgumentException(
          "--max-datastreams " + upTo + ": give 1 or more datastreams");
    }
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(STUDY, NAME);
    facts.put("maxDatastreams", Long.toString(upTo));
    return facts;
  }
}
