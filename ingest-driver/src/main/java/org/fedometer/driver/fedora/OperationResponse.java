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
 * The response to an {@link OperationRequest}; its body was read completely.
 *
 * @param response status, and Fedora's message unless successful
 * @param bytes body size of a success
 * @param body body of a success that is small XML with more than the status; else empty
 * @param html true if a success was an HTML page, which from Fedora can only be content
 */
public record OperationResponse(FedoraResponse response, long bytes, byte[] body, boolean html) {

  /** Well above a page of a hundred objects with long records. */
  private static final int MAX_BODY_BYTES = 32 << 20;

  private static final byte[] NOTHING = {};

  /** Reads Fedora's response to a failed request. */
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
      throw new IOException("the response is longer than " + (MAX_BODY_BYTES >> 20) + " MiB");
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
   * Contents of a page or an OAI-PMH response besides its records.
   *
   * @param token for the next page; empty on the last
   * @param error code and message of OAI-PMH; empty if none
   * @param domain the repository's name in identifiers; empty if missing
   */
  public record ListInfo(String token, String error, String domain) {}

  /**
   * @throws IOException if the body is not the expected XML
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
