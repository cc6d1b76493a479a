package org.fedometer.collector.influx;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/**
 * An InfluxDB that receives points. Any thread.
 *
 * @param url {@code http://HOST:PORT} or {@code https://...}, without secrets
 * @param ca PEM file with the trusted certificates; null for those of this JVM
 */
public record InfluxTarget(String url, Destination destination, Path ca) {

  public sealed interface Destination {}

  /**
   * A database of InfluxDB 1.x.
   *
   * @param retentionPolicy empty for the database's default
   * @param user empty without authentication
   */
  public record Database(String name, String retentionPolicy, String user, String password)
      implements Destination {
    public Database {
      require(!name.isBlank(), "the database's name must not be empty");
    }

    /** Omits the password. */
    @Override
    public String toString() {
      return "database " + name;
    }
  }

  /**
   * A bucket of InfluxDB 2.x or a compatible write API.
   *
   * @param token empty without authentication
   */
  public record Bucket(String name, String organization, String token) implements Destination {
    public Bucket {
      require(!name.isBlank(), "the bucket's name must not be empty");
      require(!organization.isBlank(), "a bucket needs an organization");
    }

    /** Omits the token. */
    @Override
    public String toString() {
      return "bucket " + name;
    }
  }

  public InfluxTarget {
    try {
      URI parsed = new URI(url);
      require(
          "http".equals(parsed.getScheme()) || "https".equals(parsed.getScheme()),
          "InfluxDB's address must begin with http:// or https://");
      require(parsed.getHost() != null, "InfluxDB's address must name a host: http://HOST:8086");
      require(
          parsed.getUserInfo() == null,
          "InfluxDB's address must not contain a user or password; give the password by a file"
              + " or the environment");
      require(
          parsed.getQuery() == null && parsed.getFragment() == null,
          "InfluxDB's address must end with its path; give the database or bucket by options");
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("InfluxDB's address is not a URL: " + e.getMessage(), e);
    }
  }

  /** Creates a target with a certificate that this JVM trusts, or without TLS. */
  public InfluxTarget(String url, Destination destination) {
    this(url, destination, null);
  }

  private static void require(boolean held, String message) {
    if (!held) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Returns command line options for the same target, quoted for a shell. */
  String options() {
    if (destination instanceof Database database) {
      return option("--influx", url)
          + ofCa()
          + " "
          + option("--influx-database", database.name())
          + (database.retentionPolicy().isEmpty()
              ? ""
              : " " + option("--influx-retention-policy", database.retentionPolicy()))
          + (database.user().isEmpty() ? "" : " " + option("--influx-user", database.user()));
    }
    Bucket bucket = (Bucket) destination;
    return option("--influx", url)
        + ofCa()
        + " "
        + option("--influx-org", bucket.organization())
        + " "
        + option("--influx-bucket", bucket.name());
  }

  private String ofCa() {
    return ca == null ? "" : " " + option("--influx-ca", ca.toString());
  }

  /** Returns an option, with its value quoted if a shell would split it. */
  static String option(String name, String value) {
    boolean plain = value.matches("[\\w./:@%+,=-]+");
    return name + " " + (plain ? value : "'" + value.replace("'", "'\\''") + "'");
  }

  @Override
  public String toString() {
    return url + ", " + destination;
  }
}
