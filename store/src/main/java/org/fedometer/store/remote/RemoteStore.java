package org.fedometer.store.remote;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.List;
import org.fedometer.store.JsonFault;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunSummary;
import org.fedometer.store.StoreView;
import org.fedometer.store.query.Query;
import org.fedometer.wire.client.CollectorReader;
import org.fedometer.wire.tls.TlsTrust;

/**
 * A collector's store. Any thread; each run and query is for one thread at a time. A failure is an
 * {@link IOException} of one sentence: no listener, no collector, a wrong token, or a failed
 * request.
 */
public final class RemoteStore implements StoreView {
  static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** About 100,000 runs, or 300,000 files of one. */
  private static final int MAX_LIST_BYTES = 32 * 1024 * 1024;

  private final InetSocketAddress address;
  private final String token;
  private final TlsTrust tls;

  private RemoteStore(InetSocketAddress address, String token, TlsTrust tls) {
    this.address = address;
    this.token = token;
    this.tls = tls;
  }

  /**
   * Creates a store that connects anew with each query.
   *
   * @param token the collector's secret, empty for none
   */
  public static RemoteStore at(InetSocketAddress address, String token) {
    return at(address, token, null);
  }

  /**
   * @param tlsOrNull connects by TLS to a trusted collector; null for a plain connection
   */
  public static RemoteStore at(InetSocketAddress address, String token, TlsTrust tlsOrNull) {
    return new RemoteStore(address, token, tlsOrNull);
  }

  @Override
  public String location() {
    return address.getHostString() + ":" + address.getPort();
  }

  @Override
  public String missingRunHint() {
    String host = address.getHostString();
    return "'fedometer run --collector "
        + (host.indexOf(':') < 0 ? host : "[" + host + "]")
        + ":"
        + address.getPort()
        + "'"
        + (token.isEmpty() && tls == null ? "" : ", with the same token and TLS,")
        + " sends one to it; a run sent to another collector is in that one's store";
  }

  @Override
  public List<RemoteRun> runs() throws IOException {
    return summaries().stream().map(summary -> new RemoteRun(this, summary)).toList();
  }

  @Override
  public List<RunSummary> summaries() throws IOException {
    List<RunSummary> all;
    try (InputStream response = send(request("runs"))) {
      all = list(response, new TypeReference<List<RunSummary>>() {});
    }
    for (RunSummary summary : all) {
      if (summary.name() == null
          || !RunFolder.isValidName(summary.name())
          || summary.state() == null) {
        throw new IOException(
            "The collector at %s lists an invalid run: %s".formatted(location(), summary));
      }
    }
    return all;
  }

  /**
   * @throws IOException one sentence: it is no list, or exceeds {@link #MAX_LIST_BYTES}
   */
  <T> List<T> list(InputStream response, TypeReference<List<T>> type) throws IOException {
    byte[] content = response.readNBytes(MAX_LIST_BYTES + 1);
    if (content.length > MAX_LIST_BYTES) {
      throw new IOException(
          "The collector at %s answers with a list of more than %d MiB"
              .formatted(location(), MAX_LIST_BYTES >> 20));
    }
    List<T> list;
    try {
      list = JSON.readValue(content, type);
    } catch (JacksonException e) {
      throw new IOException(
          "The collector at %s does not answer with a list: %s"
              .formatted(location(), JsonFault.of(e)),
          e);
    }
    if (list == null || list.contains(null)) {
      throw new IOException(
          "The collector at %s answers with a list that is null or contains null"
              .formatted(location()));
    }
    return list;
  }

  @Override
  public RemoteRun run(String name) throws NoSuchRunException, IOException {
    List<RunSummary> all = summaries();
    for (RunSummary summary : all) {
      if (summary.name().equals(name)) {
        return new RemoteRun(this, summary);
      }
    }
    throw new NoSuchRunException(
        name, location(), all.stream().map(RunSummary::name).toList(), missingRunHint());
  }

  @Override
  public Query query() throws IOException {
    // Detects an unreachable collector here, not during a query.
    connect().close();
    return new RemoteQuery(this, null);
  }

  /**
   * Deletes a run permanently, unless it has changed since it was archived.
   *
   * @param fingerprint see {@link org.fedometer.store.RunArchive#fingerprint}; empty to skip the
   *     check
   * @throws IOException one sentence: there is no such run, or a source is still connected to it
   */
  public void remove(String run, String fingerprint) throws IOException {
    execute(request("remove").put("run", run).put("fingerprint", fingerprint));
  }

  /**
   * Makes the collector store and seal the whole run and release it, so that its files are
   * complete.
   *
   * @throws IOException one sentence: a source is still connected to it
   */
  public void release(String run) throws IOException {
    execute(request("release").put("run", run));
  }

  static ObjectNode request(String kind) {
    return JSON.createObjectNode().put("request", kind);
  }

  /**
   * Sends a request over a separate connection; closing the result cancels the request. A failure
   * of the request appears at the first read.
   */
  InputStream send(ObjectNode request) throws IOException {
    CollectorReader reader = connect();
    try {
      return new FilterInputStream(reader.query(request.toString())) {
        @Override
        public void close() {
          reader.close();
        }
      };
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  private CollectorReader connect() throws IOException {
    return CollectorReader.connect(address.getHostString(), address.getPort(), token, tls);
  }

  private void execute(ObjectNode request) throws IOException {
    try (InputStream response = send(request)) {
      if (response.readNBytes(MAX_LIST_BYTES).length == MAX_LIST_BYTES) {
        throw new IOException("The collector at " + location() + " answers a request without end");
      }
    }
  }
}
