package org.fedometer.driver.content;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.Pid;
import org.fedometer.driver.threads.DaemonThreads;

/**
 * Serves the content of a dataset by HTTP, for Fedora to fetch: {@code /objects/INDEX/DATASTREAM}.
 * Content comes from the object that is being sent, or else from one that the dataset makes on
 * request. Answers GET and HEAD from any client, on its own threads. Thread-safe.
 */
public final class ContentServer implements AutoCloseable {

  /** Fedora 3.8.1 opens at most five connections by default. */
  private static final int THREADS = 8;

  private static final int BACKLOG = 64;
  private static final int CHUNK_BYTES = 32 * 1024;

  private static final Pattern PATH =
      Pattern.compile("/objects/(0|[1-9][0-9]{0,17})/([A-Za-z_][A-Za-z0-9._-]{0,63})");

  static {
    // Otherwise each response on a kept connection waits 40 ms: header and body are two packets.
    setUnlessSet("sun.net.httpserver.nodelay", "true");
    // Maximum seconds to receive a request; an endless one would block a thread.
    setUnlessSet("sun.net.httpserver.maxReqTime", "30");
  }

  private final Dataset dataset;
  private final HttpServer server;
  private final ExecutorService threads;
  private final String base;
  private final Map<Long, RequestTracker> trackers = new ConcurrentHashMap<>();

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  private ContentServer(Dataset dataset, HttpServer server) {
    this.dataset = dataset;
    this.server = server;
    this.base = base(server.getAddress());
    this.threads =
        Executors.newFixedThreadPool(THREADS, DaemonThreads.newFactory("fedometer-content-server"));
  }

  /**
   * @param address of this machine by which Fedora can reach it; port 0 for a free one
   * @throws IOException if it cannot listen there, with a message for the user
   */
  public static ContentServer start(Dataset dataset, InetSocketAddress address) throws IOException {
    Objects.requireNonNull(dataset, "dataset");
    HttpServer http;
    try {
      http = HttpServer.create(address, BACKLOG);
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "The content server cannot listen on "
              + address.getHostString()
              + ':'
              + address.getPort()
              + ": "
              + Messages.of(e),
          e);
    }
    ContentServer server = new ContentServer(dataset, http);
    http.createContext("/", server::handle);
    http.setExecutor(server.threads);
    http.start();
    return server;
  }

  private static String base(InetSocketAddress listening) {
    InetAddress address = listening.getAddress();
    String host = address.getHostAddress();
    return "http://"
        + (address instanceof Inet6Address ? '[' + host.replaceAll("%.*", "") + ']' : host)
        + ':'
        + listening.getPort();
  }

  /** Returns the base URL, without a path. */
  public URI url() {
    return URI.create(base);
  }

  String url(long index, String datastreamId) {
    return base + "/objects/" + index + '/' + Pid.datastreamInPath(datastreamId);
  }

  /**
   * Tracks the requests for one object until closed; at most one tracker per object.
   *
   * @param object object that is served meanwhile: making it anew for each datastream would cost
   *     time that counts as Fedora's
   */
  RequestTracker track(long index, RepositoryObject object) {
    RequestTracker tracker = new RequestTracker(index, object.content());
    trackers.put(index, tracker);
    return tracker;
  }

  /** Outcome of the requests for one object's content. */
  final class RequestTracker implements AutoCloseable {

    private final long index;
    private final Map<String, ContentStream> contents;
    private final Map<String, String> lastErrors = new ConcurrentHashMap<>();

    private RequestTracker(long index, List<ContentStream> contents) {
      this.index = index;
      Map<String, ContentStream> byId = new HashMap<>();
      contents.forEach(content -> byId.put(content.id(), content));
      this.contents = byId;
    }

    void reset() {
      lastErrors.clear();
    }

    /**
     * Returns the error of the last request for a datastream, an empty string on success; {@code
     * Optional.empty()} without a request.
     */
    Optional<String> lastError(String datastreamId) {
      return Optional.ofNullable(lastErrors.get(datastreamId));
    }

    @Override
    public void close() {
      trackers.remove(index, this);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      boolean head = method.equals("HEAD");
      if (!head && !method.equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        reject(exchange, 405);
        return;
      }
      URI uri = exchange.getRequestURI();
      Matcher path = PATH.matcher(uri.getRawPath() == null ? "" : uri.getRawPath());
      if (uri.getRawQuery() != null || !path.matches()) {
        reject(exchange, 404);
        return;
      }
      respond(exchange, head, Long.parseLong(path.group(1)), path.group(2));
    }
  }

  private void respond(HttpExchange exchange, boolean head, long index, String id)
      throws IOException {
    RequestTracker tracker = trackers.get(index);
    try {
      Optional<ContentStream> content =
          tracker == null ? find(index, id) : Optional.ofNullable(tracker.contents.get(id));
      if (content.isEmpty()) {
        reject(exchange, 404);
        return;
      }
      exchange.getResponseHeaders().set("Content-Type", content.get().mediaType());
      if (head) {
        String length = Long.toString(content.get().sizeBytes());
        exchange.getResponseHeaders().set("Content-Length", length);
        exchange.sendResponseHeaders(200, -1);
        return;
      }
      send(exchange, content.get(), tracker);
    } catch (IOException | RuntimeException e) {
      if (e instanceof RuntimeException) {
        record(tracker, id, Messages.of(new ContentFailureException(e)));
      }
      if (exchange.getResponseCode() < 0) {
        reject(exchange, 500);
        return;
      }
      throw e; // closes the connection
    }
  }

  private Optional<ContentStream> find(long index, String id) {
    if (index >= dataset.size()) {
      return Optional.empty();
    }
    return dataset.object(index).content().stream()
        .filter(stream -> stream.id().equals(id))
        .findFirst();
  }

  /** A client gets a truncated body if the content cannot be sent completely. */
  private static void send(HttpExchange exchange, ContentStream content, RequestTracker tracker)
      throws IOException {
    long length = content.sizeBytes();
    long sent = 0;
    String fault = "";
    try (InputStream in = open(content)) {
      exchange.sendResponseHeaders(200, length == 0 ? -1 : length);
      OutputStream out = exchange.getResponseBody();
      byte[] chunk = new byte[CHUNK_BYTES];
      while (sent < length) {
        int n = read(in, chunk, (int) Math.min(chunk.length, length - sent));
        out.write(chunk, 0, n);
        sent += n;
      }
      out.close();
    } catch (ContentFailureException e) {
      fault = Messages.of(e);
      throw e;
    } catch (IOException e) {
      fault = "the transfer was aborted after " + sent + " of " + length + " bytes";
      throw e;
    } finally {
      record(tracker, content.id(), fault);
    }
  }

  private static InputStream open(ContentStream content) throws ContentFailureException {
    try {
      return content.open();
    } catch (IOException | RuntimeException e) {
      throw new ContentFailureException(e);
    }
  }

  private static int read(InputStream in, byte[] chunk, int max) throws ContentFailureException {
    int n;
    try {
      n = in.read(chunk, 0, max);
    } catch (IOException | RuntimeException e) {
      throw new ContentFailureException(e);
    }
    if (n < 0) {
      throw new ContentFailureException(
          new IOException("it is shorter than it was: did the file change during the run?"));
    }
    return n;
  }

  private static void record(RequestTracker tracker, String id, String error) {
    if (tracker != null) {
      tracker.lastErrors.put(id, error);
    }
  }

  private static void reject(HttpExchange exchange, int status) throws IOException {
    exchange.sendResponseHeaders(status, -1);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
