package org.fedometer.collector.influx;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import okhttp3.OkHttpClient;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.SafeLine;

/** Writes points with one of InfluxDB's APIs. For one thread at a time, except {@link #lineOf}. */
interface InfluxWriter extends Closeable {

  /** A comment in the line protocol that probes whether points would be accepted. */
  List<String> PROBE_LINES = List.of("# fedometer");

  /** The server rejected some or all points and would reject them again. */
  final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static InfluxWriter to(InfluxTarget target) {
    if (target.destination() instanceof InfluxTarget.Database database) {
      return new DatabaseWriter(target, database);
    }
    return new BucketWriter(target, (InfluxTarget.Bucket) target.destination());
  }

  /** Formats the point in the line protocol with the API's client. */
  String lineOf(InfluxPoint point);

  /**
   * @throws RefusedException if these points cannot be accepted and must be skipped
   * @throws IOException if they may be accepted later; the message is one sentence
   */
  void write(List<String> lines) throws IOException, RefusedException;

  @Override
  void close();

  /** Returns a client builder; its timeouts bound the sender's wait for a silent server. */
  static OkHttpClient.Builder http(InfluxTarget target) throws IOException {
    OkHttpClient.Builder http = new OkHttpClient.Builder();
    if (target.url().startsWith("https:")) {
      InfluxResponseCheck.secure(http, target);
    }
    return http.addInterceptor(new InfluxResponseCheck())
        .connectTimeout(Duration.ofSeconds(5))
        .readTimeout(Duration.ofSeconds(20))
        .writeTimeout(Duration.ofSeconds(20))
        .callTimeout(Duration.ofSeconds(30))
        .followRedirects(false)
        .followSslRedirects(false);
  }

  /** Returns a server's message as one log line. */
  static String describe(Throwable failure) {
    String line = SafeLine.of(FailureText.of(failure).replaceAll("\\s+", " ").strip());
    return line.length() > 500 ? line.substring(0, 500) + "..." : line;
  }
}
