package org.fedometer.store;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;

/** Converts {@link RunDocument} to the bytes of {@code run.json} and back. Any thread. */
public final class RunDocumentJson {
  /**
   * About a hundred times a run's size; a limit, since any source may send a document of that name.
   */
  static final int MAX_BYTES = 4 * 1024 * 1024;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private RunDocumentJson() {}

  /** Returns indented UTF-8; unknown values are null. */
  public static byte[] write(RunDocument document) throws IOException {
    return JSON.writeValueAsBytes(document);
  }

  /**
   * Reads a document; ignores unknown fields.
   *
   * @param json read to its end, but at most {@link #MAX_BYTES}; stays open
   * @throws IOException one sentence: it is no such document, or too large
   */
  public static RunDocument read(InputStream json) throws IOException {
    byte[] content = json.readNBytes(MAX_BYTES + 1);
    if (content.length > MAX_BYTES) {
      throw new IOException("it has more than " + MAX_BYTES + " bytes");
    }
    RunDocument document;
    try {
      document = JSON.readValue(content, RunDocument.class);
    } catch (JacksonException e) {
      throw new IOException(JsonFault.of(e), e);
    }
    if (document == null) {
      throw new IOException("it has null in place of an object");
    }
    return document;
  }
}
