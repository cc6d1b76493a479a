package org.fedometer.profiles.stack.database;

import org.fedometer.profiles.DatabaseProduct;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;

/**
 * Database access of Fedora, and of MPTStore.
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

  /** Role that owns both databases and by which Fedora connects to the stack's own server. */
  public static final String USER = "fedora";

  private static final String MYSQL_ENCODING = "useUnicode=true&characterEncoding=UTF-8";

  /**
   * Returns the access by the current document: the stack's own server may get another port at each
   * start.
   *
   * @throws IllegalStateException if the database's product is unknown, or the profile lacks one of
   *     its settings
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

  /** Sets the encoding; otherwise MySQL's driver uses the server's, often Latin 1. */
  static String withEncoding(String externalUrl) {
    return !externalUrl.startsWith("jdbc:mysql:") || externalUrl.contains("characterEncoding=")
        ? externalUrl
        : externalUrl + (externalUrl.contains("?") ? "&" : "?") + MYSQL_ENCODING;
  }

  /** Returns a URL that creates the database, but not the folders above. */
  static String derbyUrl(String database, DatabaseFolders files) {
    String url = "jdbc:derby:" + files.data().resolve(database);
    if (files.wal() != null) {
      url += ";logDevice=" + files.wal().resolve(database);
    }
    return url + ";create=true";
  }

  /** Omits the password. */
  @Override
  public String toString() {
    return "DatabaseAccess[" + fedoraUrl + ", " + triplesUrl + "]";
  }
}
