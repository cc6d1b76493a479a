package org.fedometer.store;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** Turns {@link RunDocument} into the bytes of {@code run.json} and back. Any thread. */
public final class RunDocumentJson {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private RunDocumentJson() {}

  public static byte[] write(RunDocument document) throws IOException {
    return JSON.writeValueAsBytes(document);
  }

  /** Ignores fields that this version does not know. */
  public static RunDocument read(byte[] json) throws IOException {
    return JSON.readValue(json, RunDocument.class);
  }
}
