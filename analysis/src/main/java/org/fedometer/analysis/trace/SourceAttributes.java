package org.fedometer.analysis.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Reads sources' attributes in the table {@code sources}, which may be foreign. Pure. */
public final class SourceAttributes {
  private static final ObjectMapper JSON = new ObjectMapper();

  private SourceAttributes() {}

  /** Returns the boot id of its host, empty if missing or unreadable. */
  public static String bootId(String attributes) {
    try {
      return JSON.readTree(attributes).path("bootId").asText("");
    } catch (JsonProcessingException e) {
      return "";
    }
  }
}
