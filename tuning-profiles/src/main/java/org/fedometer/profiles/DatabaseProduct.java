package org.fedometer.profiles;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.fedometer.profiles.SettingType.Word;

/** A kind of database, and what Fedora, its driver and MPTStore need to know of it. */
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
  /** Through MySQL's driver, as Fedora knows no other one. */
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
   * The product that a setting {@code database.product} names.
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

  /** The name as written in files. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Id of Fedora's datastore for it. */
  public String pool() {
    return pool;
  }

  public String driverClass() {
    return driverClass;
  }

  /** Group and artifact of the jars that have the driver's class. */
  List<String> drivers() {
    return drivers;
  }

  /** A glob of those jars' names up to their version. */
  public String driverJars() {
    return drivers.stream()
        .map(driver -> driver.substring(driver.indexOf(':') + 1))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** The class of MPTStore's that makes its tables. */
  String ddlGenerator() {
    return ddlGenerator;
  }

  /** MySQL or MariaDB: columns have a length, and a backslash in a literal escapes. */
  public boolean isMySql() {
    return this == MYSQL || this == MARIADB;
  }

  /** What URLs of its servers begin with. */
  public String urlPrefix() {
    return isMySql() ? "jdbc:mysql:" : "jdbc:" + key() + ":";
  }
}
