package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.cookie.BasicCookieStore;
import org.apache.hc.client5.http.cookie.Cookie;
import org.apache.hc.client5.http.cookie.CookieStore;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.utils.DateUtils;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;

/**
 * Sends a session's requests, one at a time, each with a time limit and the session's cookie, and
 * streams each response. For the session's thread; {@link #cancel} and {@link #cancelIfOverdue} are
 * thread-safe.
 */
final class SessionExchange {

  /** Fedora's messages for an ingest are shorter. */
  private static final int MAX_RESPONSE_BYTES = 64 * 1024;

  private static final String SESSION_COOKIE = "JSESSIONID";

  /** Fedora has one, a proxy before it one or two more. */
  private static final int MAX_COOKIES = 20;

  /** Tomcat itself refuses requests with more than 8 KB of headers. */
  private static final int MAX_COOKIE_LENGTH = 4096;

  private final FedoraClient client;
  private final HttpClientContext context = HttpClientContext.create();
  private String sessionCookie;
  private volatile HttpUriRequestBase activeRequest;
  private volatile long deadlineNanos;

  SessionExchange(FedoraClient client) {
    this.client = client;
    context.setCookieStore(new BasicCookieStore());
  }

  /** Converts a response while it arrives. */
  @FunctionalInterface
  interface Handler<T> {
    T handle(ClassicHttpResponse response) throws IOException;
  }

  /**
   * Sends a request with the login.
   *
   * @param limit maximum duration of the exchange
   * @throws FedoraUnreachableException if nothing was sent
   * @throws IOException if the outcome is unknown
   */
  <T> T send(HttpUriRequestBase request, Duration limit, Handler<T> handler) throws IOException {
    request.setHeader(HttpHeaders.AUTHORIZATION, client.authorization());
    try {
      return execute(
          request,
          context,
          limit,
          response -> {
            Instant date = DateUtils.parseStandardDate(response, HttpHeaders.DATE);
            if (date != null) {
              client.updateServerTime(date.toEpochMilli());
            }
            trackSession();
            return handler.handle(response);
          });
    } catch (SSLException e) {
      String reason = handshakeFailure(e);
      if (reason == null) {
        throw e;
      }
      throw new FedoraUnreachableException(
          "No connection to " + client.login().url() + ": " + reason, e);
    } catch (ConnectException
        | ConnectTimeoutException
        | UnknownHostException
        | NoRouteToHostException
        | ConnectionRequestTimeoutException e) {
      throw new FedoraUnreachableException(
          "No connection to " + client.login().url() + ": " + e.getMessage(), e);
    }
  }

  /** Returns the reason of a failed handshake, which sends nothing; null for a later failure. */
  private static String handshakeFailure(SSLException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException && cause.getMessage() != null) {
        return cause.getMessage();
      }
    }
    String message = String.valueOf(failure.getMessage());
    if (message.contains("SSL message")) {
      return "the server does not use TLS; give its address with http://";
    }
    boolean atHandshake =
        failure instanceof SSLHandshakeException || failure instanceof SSLPeerUnverifiedException;
    return atHandshake ? "the TLS handshake failed: " + message : null;
  }

  /** Sends a request anonymously, with neither password nor cookie. */
  <T> T sendAnonymously(HttpUriRequestBase request, Duration limit, Handler<T> handler)
      throws IOException {
    HttpClientContext anonymous = HttpClientContext.create();
    anonymous.setCookieStore(
        new BasicCookieStore()); // otherwise the library's store, shared by all
    return execute(request, anonymous, limit, handler);
  }

  private <T> T execute(
      HttpUriRequestBase request,
      HttpClientContext requestContext,
      Duration limit,
      Handler<T> handler)
      throws IOException {
    deadlineNanos = System.nanoTime() + limit.toNanos();
    activeRequest = request;
    try {
      // A socket read ignores interrupts: an interrupting thread has to cancel, too.
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted before the request");
      }
      return client
          .http()
          .execute(
              request,
              requestContext,
              response -> {
                try {
                  return handler.handle(response);
                } catch (SocketTimeoutException e) {
                  request.cancel(); // otherwise the rest would be awaited just as long again
                  throw e;
                } finally {
                  discardBody(request, response);
                }
              });
    } finally {
      activeRequest = null;
    }
  }

  void cancel() {
    HttpUriRequestBase request = activeRequest;
    if (request != null) {
      request.cancel();
    }
  }

  void cancelIfOverdue(long nowNanos) {
    HttpUriRequestBase request = activeRequest; // the next request has its own deadline
    if (request != null && nowNanos - deadlineNanos > 0) {
      request.cancel();
    }
  }

  /** Tracks Fedora's session: it sends a new cookie for a missing or unknown one. */
  private void trackSession() {
    String known = sessionCookie;
    CookieStore store = context.getCookieStore();
    List<Cookie> cookies = store.getCookies();
    for (Cookie cookie : cookies) {
      if (cookie.getName().equals(SESSION_COOKIE)) {
        sessionCookie = cookie.getValue();
      }
    }
    if (known != null && !known.equals(sessionCookie)) {
      client.sessionLost();
    }
    if (cookies.size() > MAX_COOKIES
        || cookies.stream().anyMatch(cookie -> cookie.getValue().length() > MAX_COOKIE_LENGTH)) {
      // They would be sent with each request throughout the load.
      store.clear();
      sessionCookie = null; // the next new cookie is then no sign of a restart
    }
  }

  /**
   * Cancels a request whose long body was not read completely; the library would otherwise drain it
   * before reusing the connection.
   */
  private static void discardBody(HttpUriRequestBase request, ClassicHttpResponse response)
      throws IOException {
    HttpEntity entity = response.getEntity();
    if (entity == null) {
      return;
    }
    byte[] rest = new byte[4096];
    int allowed = MAX_RESPONSE_BYTES;
    InputStream in = entity.getContent();
    if (in == null) {
      return;
    }
    try {
      while (allowed > 0) {
        int n = in.read(rest);
        if (n < 0) {
          return;
        }
        allowed -= n;
      }
      request.cancel();
    } catch (IOException e) {
      request.cancel();
    }
  }

  static FedoraResponse toResponse(ClassicHttpResponse response) throws IOException {
    return toResponse(response, body -> {});
  }

  /**
   * @param bodyConsumer gets the body as received, as far as it is read
   */
  static FedoraResponse toResponse(ClassicHttpResponse response, Consumer<String> bodyConsumer)
      throws IOException {
    HttpEntity entity = response.getEntity();
    String body = "";
    String type = "";
    if (entity != null) {
      type = entity.getContentType() == null ? "" : entity.getContentType();
      InputStream in = entity.getContent();
      if (in != null) {
        body = new String(in.readNBytes(MAX_RESPONSE_BYTES), charset(type));
      }
    }
    bodyConsumer.accept(body);
    String message =
        response.getCode() == 201 || response.getCode() == 202
            ? FedoraMessages.cut(body.strip())
            : FedoraMessages.extract(type, body);
    Header location = response.getFirstHeader(HttpHeaders.LOCATION);
    if (response.getCode() / 100 == 3 && location != null) {
      message =
          FedoraMessages.cut(
              "a redirect to "
                  + location.getValue()
                  + " (perhaps a login page or a proxy); give Fedora's own address");
    }
    boolean plain = type.toLowerCase(Locale.ROOT).startsWith("text/plain");
    return new FedoraResponse(response.getCode(), message, plain, retryAfter(response));
  }

  private static Charset charset(String contentType) {
    try {
      ContentType parsed = ContentType.parseLenient(contentType);
      return parsed == null ? StandardCharsets.UTF_8 : parsed.getCharset(StandardCharsets.UTF_8);
    } catch (RuntimeException e) {
      return StandardCharsets.UTF_8;
    }
  }

  private static Duration retryAfter(ClassicHttpResponse response) {
    Header header = response.getFirstHeader(HttpHeaders.RETRY_AFTER);
    if (header == null || header.getValue() == null) {
      return Duration.ZERO;
    }
    try {
      long seconds = Long.parseLong(header.getValue().strip());
      return seconds < 0 ? Duration.ZERO : Duration.ofSeconds(Math.min(seconds, 3600));
    } catch (NumberFormatException e) {
      return Duration.ZERO; // for a date, the driver's own back-off applies
    }
  }
}
