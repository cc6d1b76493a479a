package org.fedometer.profiles.stack.database;

import org.fedometer.profiles.DatabaseProduct;
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
    DatabaseProduct product = DatabaseProduct.of(stack.setting("database.product"));
    if (stack.setting("database.server").equals("external")) {
      return new DatabaseAccess(
          product.pool(),
          product.driverClass(),
          withEncoding(stack.setting("database.url")),
          withEncoding(stack.setting("database.triplesUrl")),
          stack.setting("database.user"),
          secrets.databasePassword());
    }
    return new DatabaseAccess(
        product.pool(),
        product.driverClass(),
        url(product, FEDORA_DATABASE, folders, stack),
        url(product, TRIPLES_DATABASE, folders, stack),
        USER,
        secrets.databasePassword());
  }

  private static String url(
      DatabaseProduct product, String database, StackFolders folders, StackDocument stack) {
    if (product == DatabaseProduct.DERBY) {
      return derbyUrl(database, DatabaseFolders.of(folders, stack));
    }
    String url =
        product.urlPrefix() + "//127.0.0.1:" + stack.session().databasePort() + "/" + database;
    return product.isMySql() ? url + "?" + MYSQL_ENCODING + "&useSSL=false" : url;
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
