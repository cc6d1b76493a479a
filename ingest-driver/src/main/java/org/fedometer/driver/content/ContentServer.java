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
import org.fedometer.driver.fedora.Pid;
import org.fedometer.driver.fedora.Words;
import org.fedometer.driver.threads.OwnThreads;

/**
 * Serves the content of a dataset by HTTP, so that Fedora can fetch it: {@code
 * /objects/INDEX/DATASTREAM}. Answers come from the object that is being sent, which is there
 * anyway; for any other the dataset makes it when it is asked for. It answers GET and HEAD, to
 * anybody who can reach it, on threads of its own. Any thread may call.
 */
public final class ContentServer implements AutoCloseable {

  /** Fedora 3.8.1 opens five connections at most as it is shipped. */
  private static final int THREADS = 8;

  private static final int BACKLOG = 64;
  private static final int CHUNK_BYTES = 32 * 1024;

  private static final Pattern PATH =
      Pattern.compile("/objects/(0|[1-9][0-9]{0,17})/([A-Za-z_][A-Za-z0-9._-]{0,63})");

  static {
    // Without it each answer on a kept connection waits 40 ms: header and body are two packets.
    setUnlessSet("sun.net.httpserver.nodelay", "true");
    // A request has to be there in so many seconds; one that never ends would keep a thread.
    setUnlessSet("sun.net.httpserver.maxReqTime", "30");
  }

  private final Dataset dataset;
  private final HttpServer server;
  private final ExecutorService threads;
  private final String base;
  private final Map<Long, Watch> watches = new ConcurrentHashMap<>();

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
        Executors.newFixedThreadPool(THREADS, OwnThreads.daemons("fedometer-content-server"));
  }

  /**
   * @param address of this machine by which Fedora can reach it; port 0 for a free one
   * @throws IOException if there is no listening there, in words for the user
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
              + Words.of(e),
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

  /** Where it can be asked, without a path. */
  public URI url() {
    return URI.create(base);
  }

  String url(long index, String datastreamId) {
    return base + "/objects/" + index + '/' + Pid.datastreamInPath(datastreamId);
  }

  /**
   * Has what is asked for of one object noted until it is closed; one a time for an object.
   *
   * @param object what is served meanwhile: to make it anew for each datastream would take time
   *     that is measured as Fedora's
   */
  Watch watch(long index, RepositoryObject object) {
    Watch watch = new Watch(index, object.content());
    watches.put(index, watch);
    return watch;
  }

  /** What became of the requests for one object's content. */
  final class Watch implements AutoCloseable {

    private final long index;
    private final Map<String, ContentStream> contents;
    private final Map<String, String> last = new ConcurrentHashMap<>();

    private Watch(long index, List<ContentStream> contents) {
      this.index = index;
      Map<String, ContentStream> byId = new HashMap<>();
      contents.forEach(content -> byId.put(content.id(), content));
      this.contents = byId;
    }

    void restart() {
      last.clear();
    }

    /** How the last request for a datastream ended, empty if well; empty itself without one. */
    Optional<String> ending(String datastreamId) {
      return Optional.ofNullable(last.get(datastreamId));
    }

    @Override
    public void close() {
      watches.remove(index, this);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      boolean head = method.equals("HEAD");
      if (!head && !method.equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        refuse(exchange, 405);
        return;
      }
      URI asked = exchange.getRequestURI();
      Matcher path = PATH.matcher(asked.getRawPath() == null ? "" : asked.getRawPath());
      if (asked.getRawQuery() != null || !path.matches()) {
        refuse(exchange, 404);
        return;
      }
      answer(exchange, head, Long.parseLong(path.group(1)), path.group(2));
    }
  }

  private void answer(HttpExchange exchange, boolean head, long index, String id)
      throws IOException {
    Watch watch = watches.get(index);
    try {
      Optional<ContentStream> content =
          watch == null ? find(index, id) : Optional.ofNullable(watch.contents.get(id));
      if (content.isEmpty()) {
        refuse(exchange, 404);
        return;
      }
      exchange.getResponseHeaders().set("Content-Type", content.get().mediaType());
      if (head) {
        String length = Long.toString(content.get().sizeBytes());
        exchange.getResponseHeaders().set("Content-Length", length);
        exchange.sendResponseHeaders(200, -1);
        return;
      }
      send(exchange, content.get(), watch);
    } catch (IOException | RuntimeException e) {
      if (e instanceof RuntimeException) {
        note(watch, id, Words.of(new ContentFailureException(e)));
      }
      if (exchange.getResponseCode() < 0) {
        refuse(exchange, 500);
        return;
      }
      throw e; // the connection is closed with it
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

  /** Whoever asked sees a body that is too short where it cannot be sent to its end. */
  private static void send(HttpExchange exchange, ContentStream content, Watch watch)
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
      fault = Words.of(e);
      throw e;
    } catch (IOException e) {
      fault = "it was broken off after " + sent + " of " + length + " bytes";
      throw e;
    } finally {
      note(watch, content.id(), fault);
    }
  }

  private static InputStream open(ContentStream content) throws ContentFailureException {
    try {
      return content.open();
    } catch (IOException | RuntimeException e) {
      throw new ContentFailureException(e);
    }
  }

  private static int read(InputStream in, byte[] chunk, int most) throws ContentFailureException {
    int n;
    try {
      n = in.read(chunk, 0, most);
    } catch (IOException | RuntimeException e) {
      throw new ContentFailureException(e);
    }
    if (n < 0) {
      throw new ContentFailureException(
          new IOException("it is shorter than it was: did the file change during the run?"));
    }
    return n;
  }

  private static void note(Watch watch, String id, String ending) {
    if (watch != null) {
      watch.last.put(id, ending);
    }
  }

  private static void refuse(HttpExchange exchange, int status) throws IOException {
    exchange.sendResponseHeaders(status, -1);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
