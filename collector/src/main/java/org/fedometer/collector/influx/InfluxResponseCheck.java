package org.fedometer.collector.influx;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.fedometer.wire.tls.TlsTrust;

/**
 * Accepts only responses of InfluxDB's write API: {@code 204 No Content}, and errors that are no
 * web page.
 *
 * <p>A login page, proxy, redirect or untrusted certificate becomes a failure with that cause; the
 * points are kept and retried. Any thread.
 */
final class InfluxResponseCheck implements Interceptor {
  private static final int NO_CONTENT = 204;
  private static final int TOO_LARGE = 413;

  /** Part of a body that identifies it. */
  private static final long PEEKED_BYTES = 1_024;

  /** Response of Go's servers, such as InfluxDB. */
  private static final String PLAIN_TO_TLS = "HTTP request to an HTTPS server";

  @Override
  public Response intercept(Chain chain) throws IOException {
    Response response;
    try {
      response = chain.proceed(chain.request());
    } catch (SSLException e) {
      throw new IOException(reason(e), e);
    }
    String fault = fault(response);
    if (fault == null) {
      return response;
    }
    response.close();
    throw response.code() == TOO_LARGE
        ? new TooLargeException(fault)
        : new ProtocolException(fault);
  }

  /**
   * Returns whether InfluxDB rejected the request as too large, which a retry would not change.
   * Searches causes, too, since clients wrap exceptions.
   */
  static boolean isTooLarge(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TooLargeException) {
        return true;
      }
    }
    return false;
  }

  private static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException(String message) {
      super(message);
    }
  }

  /** Returns null for a response of InfluxDB's write API. */
  private static String fault(Response response) throws IOException {
    int status = response.code();
    if (status == NO_CONTENT) {
      return null;
    }
    String message = "it answers %d %s".formatted(status, response.message()).strip();
    String location = response.header("Location");
    if (status >= 300 && status < 400) {
      return message
          + (location == null ? "" : ", a redirect to " + location)
          + "; it may be a login page or a proxy: give InfluxDB's own address by --influx";
    }
    String type = response.header("Content-Type", "");
    String begin = response.peekBody(PEEKED_BYTES).string();
    if (begin.contains(PLAIN_TO_TLS)) {
      return message + ": it speaks TLS; begin --influx with https://";
    }
    boolean page =
        type.toLowerCase(Locale.ROOT).contains("html") || begin.stripLeading().startsWith("<");
    if (status == TOO_LARGE) {
      return message + ": the batch of points is too large for it or for a proxy before it";
    }
    if (status < 300 || page) {
      return message
          + (type.isEmpty() ? "" : " with " + type)
          + (status < 300 ? " instead of 204" : "")
          + ": that is not InfluxDB's write API; it may be a login page or a proxy. Give InfluxDB's"
          + " own address by --influx";
    }
    // Its points are resent anyway, and some clients drop the server's message.
    return status >= 500 ? message + (begin.isBlank() ? "" : ": " + begin.strip()) : null;
  }

  /** Makes a client trust the target's CAs and name an untrusted certificate. */
  static void secure(OkHttpClient.Builder http, InfluxTarget target) throws IOException {
    TlsTrust trust = target.ca() == null ? TlsTrust.ofJvm() : TlsTrust.ofPemFile(target.ca());
    X509ExtendedTrustManager check =
        trust.checkOf(URI.create(target.url()).getHost(), "InfluxDB", "--influx-ca");
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {check}, null);
      http.sslSocketFactory(context.getSocketFactory(), check);
    } catch (GeneralSecurityException e) {
      throw new IOException("this JVM cannot make TLS connections: " + e.getMessage(), e);
    }
  }

  private static String reason(SSLException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException && cause.getMessage() != null) {
        return cause.getMessage();
      }
    }
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof SSLPeerUnverifiedException) {
      return "its certificate is for another name: " + message;
    }
    return message.contains("SSL message")
        ? "it does not speak TLS; begin --influx with http://"
        : "the TLS handshake failed: " + message;
  }
}
