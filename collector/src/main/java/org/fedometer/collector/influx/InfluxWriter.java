package org.fedometer.collector.influx;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import okhttp3.OkHttpClient;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.SafeLine;

/** Writes points by one of InfluxDB's APIs. For one thread at a time but for {@link #lineOf}. */
interface InfluxWriter extends Closeable {

  /**
   * A comment in the line protocol, to be written where there are no points: it is taken by who
   * would take points now, and says otherwise why not.
   */
  List<String> PROBE_LINES = List.of("# fedometer");

  /** It took none or only some of the points, and would not take the others another time either. */
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

  /** The point in the line protocol, as the API's own client writes it. */
  String lineOf(InfluxPoint point);

  /**
   * @throws RefusedException these points cannot be taken: pass them over
   * @throws IOException one sentence; the same points may be taken later
   */
  void write(List<String> lines) throws IOException, RefusedException;

  @Override
  void close();

  /** A server that answers nothing holds the sender up for so long. */
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

  /** What a server says, as one line of a log. */
  static String describe(Throwable failure) {
    String line = SafeLine.of(FailureText.of(failure).replaceAll("\\s+", " ").strip());
    return line.length() > 500 ? line.substring(0, 500) + "..." : line;
  }
}
