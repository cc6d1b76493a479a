package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Single requests to a stack's Fedora, as its administrator. */
final class FedoraRequests {

  private static final String FOXML =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <foxml:digitalObject VERSION="1.1" PID="%s"
          xmlns:foxml="info:fedora/fedora-system:def/foxml#">
        <foxml:objectProperties>
          <foxml:property NAME="info:fedora/fedora-system:def/model#state" VALUE="A"/>
          <foxml:property NAME="info:fedora/fedora-system:def/model#label" VALUE="a label"/>
        </foxml:objectProperties>
        <foxml:datastream ID="DC" STATE="A" CONTROL_GROUP="X">
          <foxml:datastreamVersion ID="DC1.0" MIMETYPE="text/xml" LABEL="Dublin Core">
            <foxml:xmlContent>
              <oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"
                  xmlns:dc="http://purl.org/dc/elements/1.1/">
                <dc:description>%s</dc:description>
              </oai_dc:dc>
            </foxml:xmlContent>
          </foxml:datastreamVersion>
        </foxml:datastream>
      </foxml:digitalObject>
      """;

  private final HttpClient http = HttpClient.newHttpClient();

  /** Ingests an object with a description; returns the status. */
  int ingest(Stack stack, String pid, String description) throws Exception {
    HttpRequest request =
        request(stack, "/objects/" + pid + "?format=info:fedora/fedora-system:FOXML-1.1")
            .header("Content-Type", "text/xml")
            .POST(HttpRequest.BodyPublishers.ofString(FOXML.formatted(pid, description)))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
  }

  /**
   * Returns whether Fedora has acknowledged an object; false if it is down or goes down in between.
   */
  boolean ingestOnNewConnection(Stack stack, String pid) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create(
                      stack.url()
                          + "/objects/"
                          + pid
                          + "?format=info:fedora/fedora-system:FOXML-1.1")
                  .toURL()
                  .openConnection(Proxy.NO_PROXY);
      connection.setReadTimeout(60_000);
      connection.setDoOutput(true);
      connection.setRequestProperty("Authorization", authorization(stack));
      connection.setRequestProperty("Content-Type", "text/xml");
      connection.setRequestProperty("Connection", "close");
      connection
          .getOutputStream()
          .write(FOXML.formatted(pid, "d").getBytes(StandardCharsets.UTF_8));
      return connection.getResponseCode() == HttpURLConnection.HTTP_CREATED;
    } catch (IOException e) {
      return false;
    }
  }

  /** The triples of an object, after a flush. */
  List<String> triples(Stack stack, String pid) throws Exception {
    HttpResponse<Stream<String>> response = query(stack, pid);
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body().toList();
  }

  /** Fedora's answer to the question for an object's triples, with a flush before. */
  HttpResponse<Stream<String>> query(Stack stack, String pid) throws Exception {
    String query = URLEncoder.encode("<info:fedora/" + pid + "> * *", StandardCharsets.UTF_8);
    HttpRequest request =
        request(stack, "/risearch?type=triples&lang=spo&format=N-Triples&flush=true&query=" + query)
            .GET()
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofLines());
  }

  private static HttpRequest.Builder request(Stack stack, String path) throws IOException {
    return HttpRequest.newBuilder(URI.create(stack.url() + path))
        .timeout(Duration.ofSeconds(60))
        .header("Authorization", authorization(stack));
  }

  private static String authorization(Stack stack) throws IOException {
    String credentials = stack.user() + ":" + Files.readString(stack.passwordFile());
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns random letters and digits that PostgreSQL cannot compress in the index entry.
   *
   * @param storedBytes the size in a triplestore, including two quotes
   */
  static String incompressible(int storedBytes) {
    Random random = new Random(storedBytes);
    StringBuilder text = new StringBuilder();
    while (text.length() < storedBytes - 2) {
      text.append(Character.forDigit(random.nextInt(36), 36));
    }
    return text.toString();
  }
}
