package org.fedometer.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.collector.influx.InfluxTarget;
import picocli.CommandLine.Option;

/** Target InfluxDB of points. Secrets are never arguments, since ps shows those. */
public final class InfluxOptions {
  private static final String PASSWORD_VARIABLE = "FEDOMETER_INFLUX_PASSWORD";
  private static final String TOKEN_VARIABLE = "FEDOMETER_INFLUX_TOKEN";

  @Option(
      names = "--influx",
      paramLabel = "URL",
      description =
          "InfluxDB to write to: http://HOST:8086, with --influx-database (1.x), or"
              + " --influx-org and --influx-bucket (2.x).")
  private String url;

  @Option(
      names = "--influx-ca",
      paramLabel = "FILE",
      description =
          "PEM file with InfluxDB's certificate or its CA (default: the CAs of this Java).")
  private Path ca;

  @Option(
      names = "--influx-database",
      paramLabel = "NAME",
      description = "Existing database of InfluxDB 1.x.")
  private String database;

  @Option(
      names = "--influx-retention-policy",
      paramLabel = "NAME",
      description = "Retention policy of the database (default: its default).")
  private String retentionPolicy;

  @Option(
      names = "--influx-user",
      paramLabel = "NAME",
      description = "User of InfluxDB 1.x (default: none).")
  private String user;

  @Option(
      names = "--influx-password-file",
      paramLabel = "FILE",
      description = "File with the password (default: the variable " + PASSWORD_VARIABLE + ").")
  private Path passwordFile;

  @Option(
      names = "--influx-org",
      paramLabel = "NAME",
      description = "Organization of InfluxDB 2.x.")
  private String organization;

  @Option(
      names = "--influx-bucket",
      paramLabel = "NAME",
      description = "Existing bucket of InfluxDB 2.x.")
  private String bucket;

  @Option(
      names = "--influx-token-file",
      paramLabel = "FILE",
      description =
          "File with a token of InfluxDB 2.x (default: the variable " + TOKEN_VARIABLE + ").")
  private Path tokenFile;

  /**
   * Returns null if no InfluxDB is named. Reads the files.
   *
   * @throws IllegalArgumentException if options are incompatible, or a file is unusable
   */
  public InfluxTarget targetOrNull() {
    boolean version1 =
        database != null || retentionPolicy != null || user != null || passwordFile != null;
    boolean version2 = organization != null || bucket != null || tokenFile != null;
    if (url == null) {
      if (version1 || version2 || ca != null) {
        throw new IllegalArgumentException("name the InfluxDB: --influx http://HOST:8086");
      }
      return null;
    }
    if (version1 == version2) {
      throw new IllegalArgumentException(
          "--influx needs either --influx-database (1.x) or --influx-org and --influx-bucket"
              + " (2.x)"
              + (version1 ? ", not both" : ""));
    }
    if (ca != null && !Files.isReadable(ca)) {
      throw new IllegalArgumentException("--influx-ca " + ca + " cannot be read");
    }
    return new InfluxTarget(
        url, version1 ? databaseTarget() : bucketTarget(), ca == null ? null : ca.toAbsolutePath());
  }

  /**
   * As {@link #targetOrNull}, for a command that requires a target.
   *
   * @throws IllegalArgumentException also if none is named
   */
  public InfluxTarget target() {
    InfluxTarget target = targetOrNull();
    if (target == null) {
      throw new IllegalArgumentException("name the InfluxDB: --influx http://HOST:8086");
    }
    return target;
  }

  private InfluxTarget.Database databaseTarget() {
    if (database == null) {
      throw new IllegalArgumentException("--influx-database is missing");
    }
    if (user == null && passwordFile != null) {
      throw new IllegalArgumentException("--influx-password-file needs --influx-user");
    }
    String password =
        user == null ? "" : secret("--influx-password-file", passwordFile, PASSWORD_VARIABLE);
    if (user != null && password.isEmpty()) {
      throw new IllegalArgumentException(
          "the password of --influx-user is missing: give --influx-password-file FILE or"
              + " the variable "
              + PASSWORD_VARIABLE);
    }
    return new InfluxTarget.Database(
        database,
        retentionPolicy == null ? "" : retentionPolicy,
        user == null ? "" : user,
        password);
  }

  private InfluxTarget.Bucket bucketTarget() {
    if (organization == null || bucket == null) {
      throw new IllegalArgumentException(
          "--influx-org and --influx-bucket belong together: give both");
    }
    return new InfluxTarget.Bucket(
        bucket, organization, secret("--influx-token-file", tokenFile, TOKEN_VARIABLE));
  }

  /** Returns the secret; empty for none. */
  private static String secret(String option, Path file, String variable) {
    if (file == null) {
      String value = System.getenv(variable);
      return value == null ? "" : value.strip();
    }
    return SecretFile.read(option, file);
  }
}
