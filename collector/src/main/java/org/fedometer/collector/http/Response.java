package org.fedometer.collector.http;

import java.nio.charset.StandardCharsets;

/**
 * An answer.
 *
 * @param status such as 200
 * @param contentType of the body
 * @param body whole
 */
record Response(int status, String contentType, byte[] body) {

  static Response text(int status, String text) {
    return new Response(
        status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
