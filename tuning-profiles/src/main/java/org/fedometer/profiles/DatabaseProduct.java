package org.fedometer.profiles;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.fedometer.profiles.SettingType.Word;

/** A kind of database, with its properties for Fedora, its driver and MPTStore. */
public enum DatabaseProduct {
  DERBY(
      "localDerbyPool",
      "org.apache.derby.jdbc.EmbeddedDriver",
      "org.nsdl.mptstore.impl.derby.DerbyDDLGenerator"),
  POSTGRESQL(
      "localPostgreSQLPool",
      "org.postgresql.Driver",
      "org.nsdl.mptstore.impl.postgres.PostgresDDLGenerator",
      "org.postgresql:postgresql"),
  MYSQL(Family.POOL, Family.DRIVER, Family.DDL_GENERATOR, Family.DRIVERS),
  /** Uses MySQL's driver, since Fedora knows no other one. */
  MARIADB(Family.POOL, Family.DRIVER, Family.DDL_GENERATOR, Family.DRIVERS);

  private static final class Family {
    static final String POOL = "localMySQLPool";
    static final String DRIVER = "com.mysql.jdbc.Driver";
    static final String DDL_GENERATOR = "org.nsdl.mptstore.impl.mysql.MysqlDDLGenerator";
    static final String[] DRIVERS = {"mysql:mysql-connector-java", "com.mysql:mysql-connector-j"};
  }

  static final Word WORDS = new Word(Arrays.stream(values()).map(DatabaseProduct::key).toList());

  private final String pool;
  private final String driverClass;
  private final String ddlGenerator;
  private final List<String> drivers;

  DatabaseProduct(String pool, String driverClass, String ddlGenerator, String... drivers) {
    this.pool = pool;
    this.driverClass = driverClass;
    this.ddlGenerator = ddlGenerator;
    this.drivers = List.of(drivers);
  }

  /**
   * Returns the product of a setting {@code database.product}.
   *
   * @throws IllegalStateException if there is none
   */
  public static DatabaseProduct of(String key) {
    for (DatabaseProduct product : values()) {
      if (product.key().equals(key)) {
        return product;
      }
    }
    throw new IllegalStateException("no pool known for database " + key);
  }

  /** Returns the name used in files. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the id of Fedora's datastore for it. */
  public String pool() {
    return pool;
  }

  public String driverClass() {
    return driverClass;
  }

  /** Returns group and artifact of the jars with the driver's class. */
  List<String> drivers() {
    return drivers;
  }

  /** Returns a glob of those jars' names up to their version. */
  public String driverJars() {
    return drivers.stream()
        .map(driver -> driver.substring(driver.indexOf(':') + 1))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** Returns MPTStore's class that creates its tables. */
  String ddlGenerator() {
    return ddlGenerator;
  }

  /** Returns whether columns have a length, and a backslash in a literal escapes. */
  public boolean isMySql() {
    return this == MYSQL || this == MARIADB;
  }

  public String urlPrefix() {
    return isMySql() ? "jdbc:mysql:" : "jdbc:" + key() + ":";
  }
}
