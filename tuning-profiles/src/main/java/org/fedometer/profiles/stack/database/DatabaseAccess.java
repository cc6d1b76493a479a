package org.fedometer.profiles.stack.database;

import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;

/**
 * How Fedora reaches its tables, and MPTStore its triples.
 *
 * @param pool id of Fedora's datastore for this kind of database
 * @param user for both
 * @param password for both
 */
public record DatabaseAccess(
    String pool,
    String driverClass,
    String fedoraUrl,
    String triplesUrl,
    String user,
    String password) {

  public static final String FEDORA_DATABASE = "fedora";

  static final String TRIPLES_DATABASE = "triples";

  /** Role that owns both databases and as which Fedora connects to a server of the stack's own. */
  public static final String USER = "fedora";

  private static final String MYSQL_ENCODING = "useUnicode=true&characterEncoding=UTF-8";

  /**
   * By the document as it is: a server of the stack's own may get another port at each start.
   *
   * @throws IllegalStateException if the database's product is unknown, or the profile lacks a
   *     setting of it
   */
  public static DatabaseAccess of(StackFolders folders, StackDocument stack, Secrets secrets) {
    String product = stack.setting("database.product");
    String pool =
        switch (product) {
          case "derby" -> "localDerbyPool";
          case "postgresql" -> "localPostgreSQLPool";
          case "mysql", "mariadb" -> "localMySQLPool";
          default -> throw new IllegalStateException("no pool known for database " + product);
        };
    String driver =
        switch (product) {
          case "derby" -> "org.apache.derby.jdbc.EmbeddedDriver";
          case "postgresql" -> "org.postgresql.Driver";
          default -> "com.mysql.jdbc.Driver";
        };
    if (stack.setting("database.server").equals("external")) {
      return new DatabaseAccess(
          pool,
          driver,
          withEncoding(stack.setting("database.url")),
          withEncoding(stack.setting("database.triplesUrl")),
          stack.setting("database.user"),
          secrets.databasePassword());
    }
    return new DatabaseAccess(
        pool,
        driver,
        url(product, FEDORA_DATABASE, folders, stack),
        url(product, TRIPLES_DATABASE, folders, stack),
        USER,
        secrets.databasePassword());
  }

  private static String url(
      String product, String database, StackFolders folders, StackDocument stack) {
    String server = "://127.0.0.1:" + stack.session().databasePort() + "/" + database;
    return switch (product) {
      case "derby" -> derbyUrl(database, DatabaseFolders.of(folders, stack));
      case "postgresql" -> "jdbc:postgresql" + server;
      default -> "jdbc:mysql" + server + "?" + MYSQL_ENCODING + "&useSSL=false";
    };
  }

  /** MySQL's driver else takes the server's encoding, which is often Latin 1. */
  static String withEncoding(String externalUrl) {
    return !externalUrl.startsWith("jdbc:mysql:") || externalUrl.contains("characterEncoding=")
        ? externalUrl
        : externalUrl + (externalUrl.contains("?") ? "&" : "?") + MYSQL_ENCODING;
  }

  /** Derby makes what is not there, except the folders above. */
  static String derbyUrl(String database, DatabaseFolders files) {
    String url = "jdbc:derby:" + files.data().resolve(database);
    if (files.wal() != null) {
      url += ";logDevice=" + files.wal().resolve(database);
    }
    return url + ";create=true";
  }

  /** Never with the password. */
  @Override
  public String toString() {
    return "DatabaseAccess[" + fedoraUrl + ", " + triplesUrl + "]";
  }
}
