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
 * One worker's conversation with Fedora: it keeps the session cookie, without which Fedora would
 * open a new session for every request. For one thread at a time, since Fedora changes the
 * logged-in subject of a session at each request without a lock; {@link #cancel} may come from any
 * thread.
 */
public final class FedoraSession implements AutoCloseable {

  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(10);

  private static final String FOXML = "info:fedora/fedora-system:FOXML-1.1";

  private static final String USER_SERVLET = "/user";

  /** The three answers to a login: of the user servlet, of /describe, of an object's FOXML. */
  private static final Pattern LOGIN_RESPONSE =
      Pattern.compile(
          "\\A\\uFEFF?\\s*+(?:<\\?.*?\\?>\\s*+|<!--.*?-->\\s*+|<!DOCTYPE[^>]*+>\\s*+)*+"
              + "<(?:\\w++:)?+(?:user|fedoraRepository|digitalObject)\\b",
          Pattern.DOTALL);

  private static final String PROBE_PID = "fedometer:health-probe";

  /** What every Fedora from 3.0 on has, and shows to nobody who is not logged in. */
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
   * A session that its client does not know and whose requests it cannot cut; {@link
   * FedoraClient#newSession} makes one that it knows.
   */
  FedoraSession(FedoraClient client) {
    this(client, PROBE_TIMEOUT);
  }

  /**
   * @param probeTimeout longest silence of Fedora when it is asked whether it is there
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
        .setCookieSpec(StandardCookieSpec.RELAXED) // a proxy's may have a date of its own form
        .setExpectContinueEnabled(false)
        .setRedirectsEnabled(false)
        .setAuthenticationEnabled(false)
        .setProtocolUpgradeEnabled(false)
        .build();
  }

  /**
   * Logs in, one session of the client at a time. Must have been done once, alone, before any load;
   * later requests do it by themselves where it is needed.
   *
   * @throws LoginRefusedException if Fedora does not accept user and password
   * @throws FedoraUnreachableException if there is no connection to be had
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
      // Not before: 404 is also said in the place of a Fedora that is away.
      loginPath = path;
      loginEpoch = epoch;
    } finally {
      client.loginLock.unlock();
    }
  }

  /**
   * Asks as a stranger, without a login: returns when Fedora is there for whoever knocks.
   *
   * @throws IOException if it does not answer, or something else answers in its place
   */
  public void ping() throws IOException {
    HttpGet request = get("/describe");
    request.setConfig(probeConfig);
    int status = exchange.sendAnonymously(request, probeTimeout, response -> response.getCode());
    // Strangers may be refused, or sent elsewhere; Tomcat alone knows no such page.
    if (status == 404 || status >= 500) {
      throw new FedoraRefusalException(
          "Fedora is not there yet", new FedoraResponse(status, "", false, Duration.ZERO));
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
   * Sends one object. Whatever Fedora answers is returned, not thrown.
   *
   * @param pid the identifier that the FOXML carries too
   * @param source writes the FOXML straight to the socket
   * @param traceparent value of that W3C header
   * @throws FedoraUnreachableException if nothing was sent
   * @throws LoginRefusedException if a new login was due and refused
   * @throws IOException if there is no knowing what Fedora did
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
   * Has an object taken away for good. Whatever Fedora answers is returned, not thrown.
   *
   * @throws IOException as {@link #ingest}
   */
  public FedoraResponse purge(String pid, String traceparent) throws IOException {
    ensureLogin();
    return send(new HttpDelete(client.login().resolve(FedoraPaths.object(pid))), traceparent);
  }

  /**
   * Gives content to Fedora that a later request refers to. Whatever Fedora answers is returned,
   * not thrown; its message is the name of the upload, {@code uploaded://N}.
   *
   * @throws IOException as {@link #ingest}
   */
  public FedoraResponse upload(ContentStream content, String traceparent) throws IOException {
    HttpPost request = post("/management/upload");
    return post(request, StreamedBody.file(request, content), traceparent);
  }

  /**
   * Adds a datastream to an object. Fedora makes a new version of one that is there already, so
   * that this may not be asked again before it is known to be missing. Whatever Fedora answers is
   * returned, not thrown.
   *
   * @param versions whether Fedora is to keep earlier versions when it is changed
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
   * Asks for one more statement in an object's RELS-EXT. Fedora answers 200 whether it was there
   * before or not, so that this may be asked again. Whatever Fedora answers is returned, not
   * thrown.
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
   * Sends one request, once. Whatever Fedora answers is returned, not thrown.
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
   * What Fedora knows of an object, or empty if there is none.
   *
   * @throws FedoraRefusalException if Fedora can say neither
   */
  public Optional<ObjectProfile> profile(String pid) throws IOException {
    return fetchOfObject(
        pid,
        FedoraPaths.object(pid) + "?format=xml",
        "Could not ask for " + pid,
        in -> ObjectProfile.read(in));
  }

  /** The version that Fedora gives itself, such as {@code 3.8.1}; empty if it does not say. */
  public Optional<String> version() throws IOException {
    return fetch("/describe?xml=true", "Could not ask for the version", RepositoryDescription::read)
        .map(RepositoryDescription::version)
        .filter(version -> !version.isEmpty());
  }

  /** What Fedora says of itself to anybody; empty if it does not. */
  public Optional<RepositoryDescription> describe() throws IOException {
    return fetch("/describe?xml=true", "Could not ask what Fedora is", RepositoryDescription::read);
  }

  /** Asks for the time by Fedora's clock, once; empty if the answer has none. */
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
   * Searches for an object that nobody has: it takes the webapp and its database, and finds nothing
   * that could be broken. Returns, too, where a policy forbids the search: then Fedora is there.
   *
   * @throws FedoraRefusalException if the answer is 404, or an error
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
            "Could not look for " + pid,
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

  /** Identifiers of an object's datastreams, or empty if there is no such object. */
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
   * Reads a datastream's content as it comes.
   *
   * @return what {@code reader} made of it, or empty if there is no such object or datastream
   */
  public <T> Optional<T> content(String pid, String datastreamId, ResponseReader<T> reader)
      throws IOException {
    return fetchOfObject(
        pid,
        FedoraPaths.content(pid, datastreamId),
        "Could not read " + datastreamId + " of " + pid,
        reader);
  }

  /** What Fedora knows of a datastream, or empty if there is no such object or datastream. */
  public Optional<DatastreamProfile> datastreamProfile(String pid, String datastreamId)
      throws IOException {
    return fetchOfObject(
        pid,
        FedoraPaths.datastream(pid, datastreamId) + "?format=xml",
        "Could not ask for " + datastreamId + " of " + pid,
        DatastreamProfile::read);
  }

  /**
   * Where Fedora sends whoever asks for a datastream's content, or empty if there is no such object
   * or datastream. That place is not asked.
   *
   * @throws FedoraRefusalException if Fedora gives the content itself, or an error
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
   * Reads what is at a place outside Fedora, as Fedora's client would who was sent there. Neither
   * password nor cookie of Fedora goes with it.
   *
   * @return what {@code reader} made of it, or empty if there is nothing
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

  /** Turns an answer's body into something; called while the answer is still arriving. */
  @FunctionalInterface
  public interface ResponseReader<T> {
    T read(InputStream body) throws IOException;
  }

  /** Gets something; 200 is read, 404 is empty, all else thrown. */
  public <T> Optional<T> fetch(String path, String whatFailed, ResponseReader<T> reader)
      throws IOException {
    ensureLogin();
    return queries.fetch(get(path), client.options().requestTimeout(), whatFailed, reader);
  }

  /** The same for a question that Fedora may think about for long. */
  <T> Optional<T> fetch(String path, Duration limit, String whatFailed, ResponseReader<T> reader)
      throws IOException {
    ensureLogin();
    HttpGet request = get(path);
    request.setConfig(config(limit));
    return queries.fetch(request, limit, whatFailed, reader);
  }

  /**
   * Gets something of an object. A 404 that may be somebody else's says nothing of it: then Fedora
   * is asked to search, and if it can, for the object once more.
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
   * Searches; what is not 200 is thrown, 404 too, which Fedora answers to a search that meets an
   * object that is not there.
   */
  <T> T search(String path, String whatFailed, ResponseReader<T> reader) throws IOException {
    ensureLogin();
    return queries.require(get(path), client.options().requestTimeout(), whatFailed, reader);
  }

  /** Cuts the request under way, if there is one. */
  public void cancel() {
    exchange.cancel();
  }

  /** Ends the session on this side; Fedora forgets it by itself. */
  @Override
  public void close() {
    cancel();
    client.forget(this);
  }

  /** Time of day by Fedora's clock, up to a second or so too early. */
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
