package org.fedometer.collector.influx;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/**
 * Which InfluxDB points go to. Any thread.
 *
 * @param url {@code http://HOST:PORT} or {@code https://...}, without a secret in it
 * @param ca PEM file with the certificates to trust; null for those that this Java trusts
 */
public record InfluxTarget(String url, Destination destination, Path ca) {

  public sealed interface Destination {}

  /**
   * Of InfluxDB 1.x.
   *
   * @param retentionPolicy empty for the database's own
   * @param user empty where none is asked for
   */
  public record Database(String name, String retentionPolicy, String user, String password)
      implements Destination {
    public Database {
      require(!name.isBlank(), "a database's name is not empty");
    }

    /** Without the password. */
    @Override
    public String toString() {
      return "database " + name;
    }
  }

  /**
   * Of InfluxDB 2.x, or of whatever takes its write API.
   *
   * @param token empty where none is asked for
   */
  public record Bucket(String name, String organization, String token) implements Destination {
    public Bucket {
      require(!name.isBlank(), "a bucket's name is not empty");
      require(!organization.isBlank(), "a bucket belongs to an organization");
    }

    /** Without the token. */
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
          "InfluxDB's address begins with http:// or https://");
      require(parsed.getHost() != null, "InfluxDB's address names a host: http://HOST:8086");
      require(
          parsed.getUserInfo() == null,
          "no user or password in InfluxDB's address: a password comes from a file or the"
              + " environment");
      require(
          parsed.getQuery() == null && parsed.getFragment() == null,
          "InfluxDB's address ends with its path: database or bucket are options");
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("InfluxDB's address is no URL: " + e.getMessage(), e);
    }
  }

  /** One whose certificate this Java trusts, or that has none. */
  public InfluxTarget(String url, Destination destination) {
    this(url, destination, null);
  }

  private static void require(boolean held, String message) {
    if (!held) {
      throw new IllegalArgumentException(message);
    }
  }

  /** The options with which a command of the user's reaches the same place, for a shell. */
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

  /** An option as it is typed; a value that a shell would take apart stands in quotes. */
  static String option(String name, String value) {
    boolean plain = value.matches("[\\w./:@%+,=-]+");
    return name + " " + (plain ? value : "'" + value.replace("'", "'\\''") + "'");
  }

  @Override
  public String toString() {
    return url + ", " + destination;
  }
}
