package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.classic.methods.HttpDelete;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.cookie.StandardCookieSpec;
import org.apache.hc.client5.http.utils.DateUtils;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.util.Timeout;
import org.fedometer.datasets.AddedStatement;
import org.fedometer.datasets.CarriedContent;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Relationship;

/**
 * One worker's session with Fedora. It keeps the session cookie; otherwise Fedora would open a
 * session per request.
 *
 * <p>Not thread-safe, except {@link #cancel}: Fedora changes the logged-in subject of a session at
 * each request without a lock.
 */
public final class FedoraSession implements AutoCloseable {

  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(10);

  private static final String FOXML = "info:fedora/fedora-system:FOXML-1.1";

  private static final String USER_SERVLET = "/user";

  /** The login responses of the user servlet, of /describe and of an object's FOXML. */
  private static final Pattern LOGIN_RESPONSE =
      Pattern.compile(
          "\\A\\uFEFF?\\s*+(?:<\\?.*?\\?>\\s*+|<!--.*?-->\\s*+|<!DOCTYPE[^>]*+>\\s*+)*+"
              + "<(?:\\w++:)?+(?:user|fedoraRepository|digitalObject)\\b",
          Pattern.DOTALL);

  private static final String PROBE_PID = "fedometer:health-probe";

  /** Exists in every Fedora since 3.0 and requires a login. */
  private static final String ADMIN_ONLY_PATH = "/objects/fedora-system:FedoraObject-3.0/objectXML";

  private static final String FOXML_TYPE = "text/xml";

  private final FedoraClient client;
  private final SessionExchange exchange;
  private final SessionQueries queries;
  private final Duration probeTimeout;
  private final RequestConfig requestConfig;
  private final RequestConfig probeConfig;
  private String loginPath = USER_SERVLET;
  private long loginEpoch;

  /**
   * Creates a session unknown to its client, which cannot cancel its requests; see {@link
   * FedoraClient#newSession}.
   */
  FedoraSession(FedoraClient client) {
    this(client, PROBE_TIMEOUT);
  }

  /**
   * @param probeTimeout longest silence of Fedora during a probe
   */
  public FedoraSession(FedoraClient client, Duration probeTimeout) {
    this.client = client;
    this.probeTimeout = probeTimeout;
    this.exchange = new SessionExchange(client);
    this.queries = new SessionQueries(exchange);
    requestConfig = config(client.options().responseTimeout());
    Duration probe = client.options().responseTimeout();
    probeConfig = config(probe.compareTo(probeTimeout) < 0 ? probe : probeTimeout);
  }

  private static RequestConfig config(Duration responseTimeout) {
    return RequestConfig.custom()
        .setConnectionRequestTimeout(Timeout.of(responseTimeout))
        .setResponseTimeout(Timeout.of(responseTimeout))
        .setCookieSpec(StandardCookieSpec.RELAXED) // a proxy's cookie may have another date format
        .setExpectContinueEnabled(false)
        .setRedirectsEnabled(false)
        .setAuthenticationEnabled(false)
        .setProtocolUpgradeEnabled(false)
        .build();
  }

  /**
   * Logs in, one session of the client at a time. Call once, alone, before any load; later requests
   * log in as needed.
   *
   * @throws LoginRefusedException if Fedora does not accept user and password
   * @throws FedoraUnreachableException if no connection could be made
   */
  public void login() throws IOException {
    client.loginLock.lock();
    try {
      long epoch = client.loginEpoch();
      String path = loginPath;
      FedoraResponse response = send(path);
      if (path.equals(USER_SERVLET) && (response.status() == 404 || response.status() == 500)) {
        // Fedora before 3.4 has no user servlet; that of 3.5 fails on a Java newer than 8.
        path = response.status() == 404 ? "/describe?xml=true" : ADMIN_ONLY_PATH;
        response = send(path);
      }
      if (response.status() == 401) {
        throw new LoginRefusedException(
            "Fedora at "
                + client.login().url()
                + " refuses the login of "
                + client.login().user()
                + " (401).");
      }
      if (response.status() == 404) {
        throw FedoraRefusalException.noFedoraAt(client.login().url(), response);
      }
      if (response.status() != 200) {
        throw new FedoraRefusalException("Could not log in", response);
      }
      // Only on success: a server in the place of an absent Fedora answers 404, too.
      loginPath = path;
      loginEpoch = epoch;
    } finally {
      client.loginLock.unlock();
    }
  }

  /**
   * Returns once Fedora answers an anonymous request.
   *
   * @throws IOException if it does not respond, or another server responds
   */
  public void ping() throws IOException {
    HttpGet request = get("/describe");
    request.setConfig(probeConfig);
    int status = exchange.sendAnonymously(request, probeTimeout, response -> response.getCode());
    // Anonymous requests may be refused or redirected; only Tomcat alone lacks the page.
    if (status == 404 || status >= 500) {
      throw new FedoraRefusalException(
          "Fedora is not ready", new FedoraResponse(status, "", false, Duration.ZERO));
    }
  }

  private FedoraResponse send(String path) throws IOException {
    HttpGet request = get(path);
    request.setConfig(probeConfig);
    return queries.send(
        request,
        client.options().requestTimeout(),
        "Could not log in",
        response -> {
          boolean[] login = {false};
          FedoraResponse fedoraResponse =
              SessionExchange.toResponse(
                  response, body -> login[0] = LOGIN_RESPONSE.matcher(body).find());
          if (fedoraResponse.status() == 200 && !login[0]) {
            throw FedoraRefusalException.notFedoraXmlAt(client.login().url(), fedoraResponse);
          }
          return fedoraResponse;
        });
  }

  /**
   * Sends one object. Returns Fedora's response, also an error.
   *
   * @param pid identifier, as in the FOXML
   * @param source writer of the FOXML to the socket
   * @param traceparent value of that W3C header
   * @throws FedoraUnreachableException if nothing was sent
   * @throws LoginRefusedException if a new login was due and refused
   * @throws IOException if the outcome is unknown
   */
  public FedoraResponse ingest(String pid, FoxmlSource source, String traceparent)
      throws IOException {
    Objects.requireNonNull(source, "source");
    HttpPost request = post(FedoraPaths.object(pid) + "?format=" + FedoraPaths.encode(FOXML));
    return post(request, new StreamedBody(request, source::writeTo, FOXML_TYPE, -1), traceparent);
  }

  private FedoraResponse post(HttpPost request, StreamedBody body, String traceparent)
      throws IOException {
    request.setEntity(body);
    try {
      return send(request, traceparent);
    } catch (IOException e) {
      if (body.failure() instanceof ContentFailureException known) {
        throw known;
      }
      if (body.failure() != null) {
        throw new ContentFailureException(body.failure());
      }
      throw e;
    }
  }

  private FedoraResponse send(HttpUriRequestBase request, String traceparent) throws IOException {
    request.setConfig(requestConfig);
    request.setHeader("traceparent", traceparent);
    return exchange.send(request, client.options().requestTimeout(), SessionExchange::toResponse);
  }

  /**
   * Purges an object. Returns Fedora's response, also an error.
   *
   * @throws IOException as {@link #ingest}
   */
  public FedoraResponse purge(String pid, String traceparent) throws IOException {
    ensureLogin();
    return send(new HttpDelete(client.login().resolve(FedoraPaths.object(pid))), traceparent);
  }

  /**
   * Uploads content for a later request. Returns Fedora's response, also an error; its message is
   * the name of the upload, {@code uploaded://N}.
   *
   * @throws IOException as {@link #ingest}
   */
  public FedoraResponse upload(ContentStream content, String traceparent) throws IOException {
    HttpPost request = post("/management/upload");
    return post(request, StreamedBody.file(request, content), traceparent);
  }

  /**
   * Adds a datastream to an object. Returns Fedora's response, also an error. Not idempotent:
   * Fedora makes a new version of an existing datastream, so retry only if it is known to be
   * missing.
   *
   * @param versions true if Fedora is to keep earlier versions on a change
   * @throws IOException as {@link #ingest}
   */
  public FedoraResponse addDatastream(
      String pid, CarriedContent carried, boolean versions, String traceparent) throws IOException {
    ContentStream content = carried.content();
    StringBuilder path = new StringBuilder(FedoraPaths.datastream(pid, content.id()));
    path.append("?controlGroup=").append(carried.controlGroup());
    path.append("&dsLabel=").append(FedoraPaths.encode(content.label()));
    path.append("&mimeType=").append(FedoraPaths.encode(content.mediaType()));
    path.append("&versionable=").append(versions);
    carried
        .checksum()
        .ifPresent(
            checksum -> {
              path.append("&checksumType=").append(checksum.algorithm().fedoraName());
              checksum.digest().ifPresent(digest -> path.append("&checksum=").append(digest));
            });
    if (carried.carriage() instanceof CarriedContent.Referenced referenced) {
      path.append("&dsLocation=").append(FedoraPaths.encode(referenced.location()));
      return send(post(path.toString()), traceparent);
    }
    HttpPost request = post(path.toString());
    return post(request, StreamedBody.file(request, content), traceparent);
  }

  /**
   * Adds a statement to an object's RELS-EXT. Returns Fedora's response, also an error. Idempotent:
   * Fedora answers 200 for an existing statement.
   *
   * @throws IOException as {@link #ingest}
   */
  public FedoraResponse addStatement(AddedStatement added, String traceparent) throws IOException {
    Relationship statement = added.statement();
    String path =
        FedoraPaths.object(added.pid())
            + "/relationships/new?subject="
            + FedoraPaths.encode("info:fedora/" + added.pid())
            + "&predicate="
            + FedoraPaths.encode(statement.predicate())
            + "&object="
            + FedoraPaths.encode(statement.object())
            + "&isLiteral="
            + statement.literal();
    return send(post(path), traceparent);
  }

  /**
   * Sends one request, once. Returns Fedora's response, also an error.
   *
   * @throws IOException as {@link #ingest}
   */
  public OperationResponse send(OperationRequest operation, String traceparent) throws IOException {
    ensureLogin();
    HttpUriRequestBase request =
        new HttpUriRequestBase(operation.method(), client.login().resolve(operation.path()));
    request.setConfig(requestConfig);
    request.setHeader("traceparent", traceparent);
    ContentStream content = operation.content();
    if (content != null) {
      request.setEntity(
          new InputStreamEntity(
              content.open(), content.sizeBytes(), ContentType.parse(content.mediaType())));
    }
    return exchange.send(
        request,
        client.options().requestTimeout(),
        response -> OperationResponse.of(response, operation, SessionExchange::toResponse));
  }

  /**
   * Returns an object's profile, or empty if there is none.
   *
   * @throws FedoraRefusalException if Fedora cannot answer
   */
  public Optional<ObjectProfile> profile(String pid) throws IOException {
    return fetchOfObject(
        pid,
        FedoraPaths.object(pid) + "?format=xml",
        "Could not read the profile of " + pid,
        in -> ObjectProfile.read(in));
  }

  /** Returns Fedora's version, such as {@code 3.8.1}; empty if it states none. */
  public Optional<String> version() throws IOException {
    return fetch(
            "/describe?xml=true", "Could not read Fedora's version", RepositoryDescription::read)
        .map(RepositoryDescription::version)
        .filter(version -> !version.isEmpty());
  }

  /** Returns Fedora's public description; empty if there is none. */
  public Optional<RepositoryDescription> describe() throws IOException {
    return fetch(
        "/describe?xml=true", "Could not read Fedora's description", RepositoryDescription::read);
  }

  /** Reads Fedora's clock once; empty if the response has no date. */
  public Optional<ClockReading> readClock() throws IOException {
    ensureLogin();
    HttpGet request = get("/describe?xml=true");
    request.setConfig(probeConfig);
    long sentMillis = System.currentTimeMillis();
    return exchange.send(
        request,
        probeTimeout,
        response -> {
          long receivedMillis = System.currentTimeMillis();
          return Optional.ofNullable(DateUtils.parseStandardDate(response, HttpHeaders.DATE))
              .map(date -> new ClockReading(sentMillis, date.toEpochMilli(), receivedMillis));
        });
  }

  /**
   * Searches for an object that never exists: this involves the webapp and its database, but no
   * stored object. Also returns if a policy forbids the search, since Fedora then works.
   *
   * @throws FedoraRefusalException on status 404 or an error
   */
  public void probeSearch() throws IOException {
    ensureLogin();
    HttpGet request = get(searchFor(PROBE_PID));
    request.setConfig(probeConfig);
    String whatFailed = "Could not search for objects";
    queries.send(
        request,
        probeTimeout,
        whatFailed,
        response -> {
          if (response.getCode() == 200 && response.getEntity() != null) {
            FedoraXml.forEachElement(response.getEntity().getContent(), element -> {});
          } else if (response.getCode() >= 500 || response.getCode() == 404) {
            throw new FedoraRefusalException(whatFailed, SessionExchange.toResponse(response));
          }
          return null;
        });
  }

  private static String searchFor(String pid) {
    return FedoraPaths.search(1) + "&query=" + FedoraPaths.encode("pid=" + pid);
  }

  public boolean isInFieldIndex(String pid) throws IOException {
    return fetchOfObject(
            pid,
            searchFor(pid),
            "Could not search for " + pid,
            in -> {
              List<String> found = new ArrayList<>();
              FedoraXml.forEachElement(
                  in,
                  element -> {
                    if (element.name().equals("pid")) {
                      found.add(element.text().strip());
                    }
                  });
              return found.contains(pid);
            })
        .orElse(false);
  }

  /** Returns the identifiers of an object's datastreams, or empty if there is no such object. */
  public Optional<Set<String>> datastreamIds(String pid) throws IOException {
    return fetchOfObject(
        pid,
        FedoraPaths.datastreams(pid) + "?format=xml",
        "Could not list the datastreams of " + pid,
        in -> {
          Set<String> ids = new TreeSet<>();
          FedoraXml.forEachElement(
              in,
              element -> {
                if (element.name().equals("datastream")) {
                  ids.add(element.attribute("dsid"));
                }
              });
          return ids;
        });
  }

  /**
   * Reads a datastream's content as a stream.
   *
   * @return the reader's result, or empty if there is no such object or datastream
   */
  public <T> Optional<T> content(String pid, String datastreamId, ResponseReader<T> reader)
      throws IOException {
    return fetchOfObject(
        pid,
        FedoraPaths.content(pid, datastreamId),
        "Could not read " + datastreamId + " of " + pid,
        reader);
  }

  /** Returns a datastream's profile, or empty if there is no such object or datastream. */
  public Optional<DatastreamProfile> datastreamProfile(String pid, String datastreamId)
      throws IOException {
    return fetchOfObject(
        pid,
        FedoraPaths.datastream(pid, datastreamId) + "?format=xml",
        "Could not read the profile of " + datastreamId + " of " + pid,
        DatastreamProfile::read);
  }

  /**
   * Returns where Fedora redirects clients for a datastream's content, or empty if there is no such
   * object or datastream. Does not follow the redirect.
   *
   * @throws FedoraRefusalException if Fedora returns the content itself, or an error
   */
  public Optional<String> redirectOf(String pid, String datastreamId) throws IOException {
    ensureLogin();
    String whatFailed = "Fedora does not redirect for " + datastreamId + " of " + pid;
    return queries.send(
        get(FedoraPaths.content(pid, datastreamId)),
        client.options().requestTimeout(),
        whatFailed,
        response -> {
          Header location = response.getFirstHeader(HttpHeaders.LOCATION);
          if (response.getCode() >= 300 && response.getCode() < 400 && location != null) {
            return Optional.of(location.getValue());
          }
          FedoraResponse fedoraResponse = SessionExchange.toResponse(response);
          if (fedoraResponse.status() == 404) {
            return Optional.empty();
          }
          throw new FedoraRefusalException(whatFailed, fedoraResponse);
        });
  }

  /**
   * Reads content outside Fedora, as a redirected client would, without Fedora's password and
   * cookie.
   *
   * @return the reader's result, or empty if there is nothing
   */
  public <T> Optional<T> fetchExternal(String url, ResponseReader<T> reader) throws IOException {
    HttpGet request = new HttpGet(url);
    request.setConfig(requestConfig);
    return exchange.sendAnonymously(
        request,
        client.options().requestTimeout(),
        response ->
            response.getCode() == 200 && response.getEntity() != null
                ? Optional.of(reader.read(response.getEntity().getContent()))
                : Optional.empty());
  }

  /** Converts a response's body while it arrives. */
  @FunctionalInterface
  public interface ResponseReader<T> {
    T read(InputStream body) throws IOException;
  }

  /** Fetches a path; reads 200, returns empty for 404, throws otherwise. */
  public <T> Optional<T> fetch(String path, String whatFailed, ResponseReader<T> reader)
      throws IOException {
    ensureLogin();
    return queries.fetch(get(path), client.options().requestTimeout(), whatFailed, reader);
  }

  /** Same, with a time limit for slow queries. */
  <T> Optional<T> fetch(String path, Duration limit, String whatFailed, ResponseReader<T> reader)
      throws IOException {
    ensureLogin();
    HttpGet request = get(path);
    request.setConfig(config(limit));
    return queries.fetch(request, limit, whatFailed, reader);
  }

  /**
   * Fetches a path of an object. A 404 that may be another server's proves nothing: if a search
   * then succeeds, the path is fetched once more.
   */
  private <T> Optional<T> fetchOfObject(
      String pid, String path, String whatFailed, ResponseReader<T> reader) throws IOException {
    ensureLogin();
    Duration limit = client.options().requestTimeout();
    try {
      return queries.fetch(
          get(path), limit, whatFailed, reader, response -> !response.mayBeFromProxy(pid));
    } catch (FedoraRefusalException e) {
      if (e.status() != 404) {
        throw e;
      }
      probeSearch();
      return queries.fetch(get(path), limit, whatFailed, reader);
    }
  }

  /**
   * Searches; throws for any status but 200. Fedora answers 404 if the search meets a missing
   * object.
   */
  <T> T search(String path, String whatFailed, ResponseReader<T> reader) throws IOException {
    ensureLogin();
    return queries.require(get(path), client.options().requestTimeout(), whatFailed, reader);
  }

  /** Cancels the request under way, if any. */
  public void cancel() {
    exchange.cancel();
  }

  /** Closes the session on this side; Fedora expires it. */
  @Override
  public void close() {
    cancel();
    client.forget(this);
  }

  /** Returns the time by Fedora's clock, up to about a second too early. */
  public long fedoraMillis() {
    return client.fedoraMillis();
  }

  void cancelIfOverdue(long nowNanos) {
    exchange.cancelIfOverdue(nowNanos);
  }

  private void ensureLogin() throws IOException {
    if (loginEpoch != client.loginEpoch()) {
      login();
    }
  }

  private HttpPost post(String path) throws IOException {
    ensureLogin();
    return new HttpPost(client.login().resolve(path));
  }

  private HttpGet get(String path) {
    HttpGet request = new HttpGet(client.login().resolve(path));
    request.setConfig(requestConfig);
    return request;
  }
}
