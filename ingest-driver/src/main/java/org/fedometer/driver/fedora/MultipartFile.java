package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.fedometer.datasets.ContentStream;

/**
 * Content as the only file of a multipart form. Fedora accepts an upload in no other form; a raw
 * datastream must not be empty or begin with a zero byte.
 */
record MultipartFile(ContentStream content, String boundary, byte[] head, byte[] tail) {

  static MultipartFile of(ContentStream content) {
    byte[] random = new byte[16]; // content contains it with a probability of only 2 to the -128
    ThreadLocalRandom.current().nextBytes(random);
    String boundary = "fedometer-" + HexFormat.of().formatHex(random);
    String head =
        "--"
            + boundary
            + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\""
            + Pid.datastreamInPath(content.id())
            + "\"\r\nContent-Type: "
            + content.mediaType().replaceAll("[\\x00-\\x1f\\x7f-\\uffff]", "")
            + "\r\n\r\n";
    String tail = "\r\n--" + boundary + "--\r\n";
    return new MultipartFile(
        content,
        boundary,
        head.getBytes(StandardCharsets.US_ASCII),
        tail.getBytes(StandardCharsets.US_ASCII));
  }

  String contentType() {
    return "multipart/form-data; boundary=" + boundary;
  }

  long sizeBytes() {
    return head.length + content.sizeBytes() + tail.length;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(head);
    long written;
    try (InputStream in = content.open()) {
      written = in.transferTo(out);
    }
    if (written != content.sizeBytes()) {
      throw new IOException(
          "%s has %d bytes instead of %d: did the file change during the run?"
              .formatted(content.id(), written, content.sizeBytes()));
    }
    out.write(tail);
  }
}
