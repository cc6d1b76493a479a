package org.fedometer.driver.fedora;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.fedometer.wire.record.RequestEncoder;

/**
 * What came back for an {@link OperationRequest}. The body was read to its end, whatever it is.
 *
 * @param answer status, and Fedora's words if it is no success
 * @param bytes of the body of a success
 * @param kept the body of a success where it is small XML that says more than the status; else
 *     empty
 * @param html whether a success came as a page of HTML, which Fedora gives as content only
 */
public record OperationAnswer(FedoraAnswer answer, long bytes, byte[] kept, boolean html) {

  /** A page of a hundred objects with long records stays well below. */
  private static final int MOST_KEPT = 32 << 20;

  private static final byte[] NOTHING = {};

  /** Reads what Fedora says when it has not done what was asked. */
  interface WordsReader {
    FedoraAnswer read(ClassicHttpResponse response) throws IOException;
  }

  static OperationAnswer of(
      ClassicHttpResponse response, OperationRequest asked, WordsReader reader) throws IOException {
    int status = response.getCode();
    if (!RequestEncoder.succeeded(status)) {
      return new OperationAnswer(reader.read(response), 0, NOTHING, false);
    }
    FedoraAnswer success = new FedoraAnswer(status, "", false, Duration.ZERO);
    if (response.getEntity() == null || response.getEntity().getContent() == null) {
      return new OperationAnswer(success, 0, NOTHING, false);
    }
    boolean html = isHtml(response.getEntity().getContentType());
    InputStream in = response.getEntity().getContent();
    if (!asked.page() && !asked.isOai()) {
      return new OperationAnswer(success, drain(in), NOTHING, html);
    }
    byte[] kept = in.readNBytes(MOST_KEPT);
    if (kept.length == MOST_KEPT && in.read() >= 0) {
      throw new IOException("the answer is longer than " + (MOST_KEPT >> 20) + " MiB");
    }
    return new OperationAnswer(success, kept.length, kept, html);
  }

  private static boolean isHtml(String contentType) {
    String type = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
    return type.startsWith("text/html") || type.startsWith("application/xhtml");
  }

  private static long drain(InputStream in) throws IOException {
    byte[] buffer = new byte[16 * 1024];
    long bytes = 0;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      bytes += n;
    }
    return bytes;
  }

  /**
   * What a page or an answer by OAI-PMH says besides its records.
   *
   * @param token for the next page; empty if this was the last
   * @param error by OAI-PMH, code and words; empty if there is none
   * @param domain the repository's name in identifiers; empty if it is not said
   */
  public record Said(String token, String error, String domain) {}

  /**
   * @throws IOException if it is not the XML it should be
   */
  public Said said() throws IOException {
    Map<String, String> found = new HashMap<>();
    FedoraXml.forEachElement(
        new ByteArrayInputStream(kept),
        element -> {
          String name = element.name();
          switch (name) {
            case "token", "resumptionToken", "repositoryIdentifier" ->
                found.put(name, element.text().strip());
            case "error" -> {
              String code = element.attribute("code");
              found.put(name, (code + ": " + element.text()).strip());
            }
            default -> {}
          }
        });
    return new Said(
        found.getOrDefault("token", found.getOrDefault("resumptionToken", "")),
        found.getOrDefault("error", ""),
        found.getOrDefault("repositoryIdentifier", ""));
  }
}
