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
 * @param response status, and Fedora's words if it is no success
 * @param bytes of the body of a success
 * @param body the body of a success where it is small XML that says more than the status; else
 *     empty
 * @param html whether a success came as a page of HTML, which Fedora gives as content only
 */
public record OperationResponse(FedoraResponse response, long bytes, byte[] body, boolean html) {

  /** A page of a hundred objects with long records stays well below. */
  private static final int MAX_BODY_BYTES = 32 << 20;

  private static final byte[] NOTHING = {};

  /** Reads what Fedora says when it has not done what was asked. */
  interface ErrorReader {
    FedoraResponse read(ClassicHttpResponse response) throws IOException;
  }

  static OperationResponse of(
      ClassicHttpResponse response, OperationRequest request, ErrorReader reader)
      throws IOException {
    int status = response.getCode();
    if (!RequestEncoder.succeeded(status)) {
      return new OperationResponse(reader.read(response), 0, NOTHING, false);
    }
    FedoraResponse success = new FedoraResponse(status, "", false, Duration.ZERO);
    if (response.getEntity() == null || response.getEntity().getContent() == null) {
      return new OperationResponse(success, 0, NOTHING, false);
    }
    boolean html = isHtml(response.getEntity().getContentType());
    InputStream in = response.getEntity().getContent();
    if (!request.page() && !request.isOai()) {
      return new OperationResponse(success, drain(in), NOTHING, html);
    }
    byte[] body = in.readNBytes(MAX_BODY_BYTES);
    if (body.length == MAX_BODY_BYTES && in.read() >= 0) {
      throw new IOException("the answer is longer than " + (MAX_BODY_BYTES >> 20) + " MiB");
    }
    return new OperationResponse(success, body.length, body, html);
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
  public record ListInfo(String token, String error, String domain) {}

  /**
   * @throws IOException if it is not the XML it should be
   */
  public ListInfo listInfo() throws IOException {
    Map<String, String> found = new HashMap<>();
    FedoraXml.forEachElement(
        new ByteArrayInputStream(body),
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
    return new ListInfo(
        found.getOrDefault("token", found.getOrDefault("resumptionToken", "")),
        found.getOrDefault("error", ""),
        found.getOrDefault("repositoryIdentifier", ""));
  }
}
