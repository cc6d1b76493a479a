package org.fedometer.analysis.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What a source says of itself in the table {@code sources}, which anybody may have sent. Pure. */
public final class SourceAttributes {
  private static final ObjectMapper JSON = new ObjectMapper();

  private SourceAttributes() {}

  /** Of its host's boot, empty where it says nothing that can be read. */
  public static String bootId(String attributes) {
    try {
      return JSON.readTree(attributes).path("bootId").asText("");
    } catch (JsonProcessingException e) {
      return "";
    }
  }
}
