package org.fedometer.collector.http;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A complete response.
 *
 * @param headers replace the default headers
 */
record Response(int status, String contentType, byte[] body, Map<String, String> headers)
    implements Reply {
  private static final JsonMapper JSON = new JsonMapper();

  Response(int status, String contentType, byte[] body) {
    this(status, contentType, body, Map.of());
  }

  static Response text(int status, String text) {
    return new Response(
        status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  static Response json(byte[] json) {
    return new Response(200, "application/json; charset=utf-8", json);
  }

  /** Returns an error as JSON, for scripts. */
  static Response error(int status, String sentence) {
    return new Response(
        status,
        "application/json; charset=utf-8",
        JSON.createObjectNode().put("error", sentence).toString().getBytes(StandardCharsets.UTF_8));
  }
}
