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
 * Sends a session's requests, one at a time, each within its time and with the session's cookie,
 * and hands each answer on while it arrives. For the session's thread; {@link #cancel} and {@link
 * #cancelIfOverdue} may come from any.
 */
final class SessionExchange {

  /** More of an answer to an ingest is not read: Fedora's messages are short. */
  private static final int MAX_RESPONSE_BYTES = 64 * 1024;

  private static final String SESSION_COOKIE = "JSESSIONID";

  /** Fedora has one, a proxy before it one or two more. */
  private static final int MAX_COOKIES = 20;

  /** Tomcat itself refuses a request whose head has more than 8 KB. */
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

  /** Makes something of an answer; called while it is still arriving. */
  @FunctionalInterface
  interface Handler<T> {
    T handle(ClassicHttpResponse response) throws IOException;
  }

  /**
   * Sends a request as the user.
   *
   * @param limit for all of it
   * @throws FedoraUnreachableException if nothing was sent
   * @throws IOException if there is no knowing what Fedora did
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

  /** A handshake that fails leaves nothing sent; null for what comes later. */
  private static String handshakeFailure(SSLException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException && cause.getMessage() != null) {
        return cause.getMessage();
      }
    }
    String message = String.valueOf(failure.getMessage());
    if (message.contains("SSL message")) {
      return "it does not speak TLS: its address begins with http:// then";
    }
    boolean atHandshake =
        failure instanceof SSLHandshakeException || failure instanceof SSLPeerUnverifiedException;
    return atHandshake ? "the TLS handshake failed: " + message : null;
  }

  /** Sends a request as a stranger, with neither password nor cookie. */
  <T> T sendAnonymously(HttpUriRequestBase request, Duration limit, Handler<T> handler)
      throws IOException {
    HttpClientContext anonymous = HttpClientContext.create();
    anonymous.setCookieStore(new BasicCookieStore()); // else the library's, which all would share
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
      // Reading from a socket does not notice: whoever interrupts has to cancel, too.
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted before it was asked");
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
                  request.cancel(); // what is left would be waited for as long once more
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
    HttpUriRequestBase request = activeRequest; // the next one has a time of its own
    if (request != null && nowNanos - deadlineNanos > 0) {
      request.cancel();
    }
  }

  /** Fedora gives a new cookie to who comes without one, or with one that it does not know. */
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
      // They would be sent with each request, and kept as long as the load lasts.
      store.clear();
      sessionCookie = null; // the next one is another for want of this one, not of a restart
    }
  }

  /**
   * A body that was not read to its end would be drained by the library before the connection is
   * used again, however long it is: cut such a connection instead.
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
   * @param bodyConsumer gets the body as it came, as far as it is read
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
                  + ": is it a login page or a proxy? Give Fedora's own address");
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
      return Duration.ZERO; // the form with a date: our own back-off serves
    }
  }
}
