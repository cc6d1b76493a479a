package org.fedometer.collector.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks as a browser's script does. */
public final class HttpResponses {
  private static final JsonMapper JSON = new JsonMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private HttpResponses() {}

  public static HttpResponse<String> get(InetSocketAddress at, String path) throws Exception {
    return CLIENT.send(request(at, path), HttpResponse.BodyHandlers.ofString());
  }

  /** Returns the JSON of a response with status 200. */
  public static JsonNode json(InetSocketAddress at, String path) throws Exception {
    HttpResponse<String> response = get(at, path);
    if (response.statusCode() != 200) {
      throw new IOException(path + ": " + response.statusCode() + " " + response.body());
    }
    return JSON.readTree(response.body());
  }

  private static HttpRequest request(InetSocketAddress at, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at.getPort() + path))
        .timeout(Duration.ofSeconds(60))
        .build();
  }

  /** Events that a viewer receives. */
  public static final class Events implements AutoCloseable {
    private final int status;
    private final InputStream body;
    private final BufferedReader lines;

    private Events(HttpResponse<InputStream> response) {
      this.status = response.statusCode();
      this.body = response.body();
      this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    public static Events open(InetSocketAddress at, String run) throws Exception {
      return new Events(
          CLIENT.send(
              request(at, "/api/live?run=" + run), HttpResponse.BodyHandlers.ofInputStream()));
    }

    public int status() {
      return status;
    }

    /**
     * One event.
     *
     * @param data null at the end of the stream
     */
    public record Event(String name, JsonNode data) {}

    /** The next one; null where the stream has ended. */
    public Event next() throws IOException {
      String name = null;
      while (true) {
        String line = lines.readLine();
        if (line == null) {
          return null;
        } else if (line.startsWith("event: ")) {
          name = line.substring("event: ".length());
        } else if (line.startsWith("data: ")) {
          return new Event(name, JSON.readTree(line.substring("data: ".length())));
        }
      }
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }
}
