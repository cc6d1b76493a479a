package org.fedometer.experiments.load;

import java.util.LinkedHashMap;
import java.util.Map;

/** A requested study that adds up to {@code upTo} datastreams to one object. */
public record DatastreamsChoice(long upTo) implements OperationsChoice {
  /** Name in the run's document. */
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
