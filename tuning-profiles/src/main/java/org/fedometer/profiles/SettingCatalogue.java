package org.fedometer.profiles;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.fedometer.profiles.SettingType.Many;
import org.fedometer.profiles.SettingType.Quantity;
import org.fedometer.profiles.SettingType.Text;
import org.fedometer.profiles.SettingType.Units;
import org.fedometer.profiles.SettingType.WholeNumber;
import org.fedometer.profiles.SettingType.Word;

/**
 * All settings of profile files. Keys are the names used by Fedora, the databases, Tomcat and
 * Maven, if they have one, so that their documentation applies.
 */
public final class SettingCatalogue {

  /** Choices of its dimension to which a setting applies; sometimes also where it is written. */
  public enum Scope {
    ALWAYS(profile -> true),
    /** Parameters of Fedora's connection pool. */
    POOL(profile -> true),
    TRIPLES(Profile::hasTriplestore),
    /** Parameters of the triplestore's datastore. */
    DATASTORE(Profile::hasTriplestore),
    /** More of them, for triples in a database. */
    SQL_DATASTORE(Profile::isOnMptstore),
    LITERAL_LENGTH(
        profile -> profile.isOnMptstore() && profile.isOn(DatabaseProduct::isMySql),
        // A missing product is reported for the database.
        profile -> profile.isOnMptstore() && !profile.has("database.product")),
    LITERAL_LIMIT(
        profile -> profile.isOnMptstore() && profile.isOn(product -> !product.isMySql()),
        Profile::isOnMptstore),
    /** For databases whose files belong to the stack. */
    FILES(profile -> !profile.isDatabaseExternal()),
    DRIVER(profile -> !profile.is("database.server", "in-fedora")),
    EXTERNAL(Profile::isDatabaseExternal),
    MANAGED(profile -> profile.is("database.server", "managed")),
    /** The stack's own server has these settings, and those of its kind, under the same names. */
    SERVER(MANAGED.needed),
    POSTGRESQL(MANAGED.needed.and(profile -> profile.isOn(DatabaseProduct.POSTGRESQL::equals))),
    INNODB(MANAGED.needed.and(profile -> profile.isOn(DatabaseProduct::isMySql)));

    private final Predicate<Profile> needed;
    private final Predicate<Profile> possible;

    Scope(Predicate<Profile> needed) {
      this(needed, needed);
    }

    Scope(Predicate<Profile> needed, Predicate<Profile> possible) {
      this.needed = needed;
      this.possible = needed.or(possible);
    }

    /** Returns whether a profile must have it; requires store, product and server. */
    boolean isNeeded(Profile profile) {
      return needed.test(profile);
    }

    /** Returns whether it would have an effect. */
    boolean isPossible(Profile profile) {
      return possible.test(profile);
    }
  }

  /**
   * @param essential true if it defines a choice, so that only the choice's file can set it: with
   *     another value, it would be a different choice under the same name
   */
  record Setting(String key, Scope scope, SettingType type, boolean essential) {}

  private static final WholeNumber COUNT = new WholeNumber(1, 10_000_000);

  /** In the order of their declaration. */
  private static final Map<Dimension, List<Setting>> SETTINGS = new EnumMap<>(Dimension.class);

  static {
    in(Dimension.TRIPLESTORE, Scope.ALWAYS)
        .essential("store", Word.of("mulgara", "mptstore", "none"));
    in(Dimension.TRIPLESTORE, Scope.TRIPLES).put("syncUpdates", Word.TRUE_OR_FALSE);
    in(Dimension.TRIPLESTORE, Scope.DATASTORE)
        .essential("connectorClassName", Text.CLASS_NAME)
        .put("autoFlushDormantSeconds", new WholeNumber(1, 86_400))
        .put("autoFlushBufferSize", COUNT)
        .put("bufferSafeCapacity", COUNT)
        .put("bufferFlushBatchSize", COUNT)
        .put("poolInitialSize", new WholeNumber(0, 1000));
    in(Dimension.TRIPLESTORE, Scope.SQL_DATASTORE)
        .put("poolMaxSize", new WholeNumber(1, 1000))
        .put("fetchSize", COUNT)
        .essential("ddlGenerator", Text.CLASS_NAME)
        .essential("backslashIsEscape", Word.TRUE_OR_FALSE);
    // An object's URIs need some 200; two columns of 10,920 fill an InnoDB row.
    in(Dimension.TRIPLESTORE, Scope.LITERAL_LENGTH)
        .put("literalLength", new WholeNumber(202, 10_000));
    in(Dimension.TRIPLESTORE, Scope.LITERAL_LIMIT).put("literalLimitBytes", COUNT);
    in(Dimension.DATABASE, Scope.ALWAYS)
        .essential("product", DatabaseProduct.WORDS)
        .essential("server", Word.of("in-fedora", "managed", "external"));
    in(Dimension.DATABASE, Scope.MANAGED)
        .put("binaries", Text.ARTIFACT)
        .put("programs", Text.PROGRAMS);
    in(Dimension.DATABASE, Scope.DRIVER).put("driver", Text.DRIVER);
    in(Dimension.DATABASE, Scope.FILES)
        .put("dataFolder", Text.FOLDER)
        .put("walFolder", Text.FOLDER);
    in(Dimension.DATABASE, Scope.EXTERNAL)
        .put("url", Text.JDBC_URL)
        .put("triplesUrl", Text.JDBC_URL)
        .put("user", Text.USER)
        .put("passwordFile", Text.FILE);
    in(Dimension.DATABASE, Scope.SERVER).put("max_connections", new WholeNumber(10, 10_000));
    in(Dimension.DATABASE, Scope.POSTGRESQL)
        // PostgreSQL does not start beyond these bounds.
        .put("shared_buffers", new Quantity(Units.POSTGRESQL, "128kB", "8191GB"))
        .put("work_mem", new Quantity(Units.POSTGRESQL, "64kB", "2047GB"))
        // PostgreSQL raises less to 32 kB.
        .put("wal_buffers", new Quantity(Units.POSTGRESQL, "32kB", "2047MB"))
        .put("max_wal_size", new Quantity(Units.POSTGRESQL, "32MB", "2047GB"))
        .put("checkpoint_timeout", new Quantity(Units.POSTGRESQL_TIME, "30s", "1d"))
        .put("fsync", Word.ON_OR_OFF)
        // Its other values wait for a standby, and without one mean on.
        .put("synchronous_commit", Word.ON_OR_OFF)
        .put("full_page_writes", Word.ON_OR_OFF)
        .put("autovacuum", Word.ON_OR_OFF);
    in(Dimension.DATABASE, Scope.INNODB)
        // InnoDB's bounds: below, MySQL uses its minimum, and MariaDB does not start.
        .put("innodb_buffer_pool_size", new Quantity(Units.INNODB, "5M", "1024G"))
        .put("innodb_log_file_size", new Quantity(Units.INNODB, "1M", "512G"))
        .put("innodb_flush_log_at_trx_commit", new WholeNumber(0, 2))
        .put("innodb_flush_method", Word.of("fsync", "O_DSYNC", "O_DIRECT"))
        .put("innodb_doublewrite", Word.ON_OR_OFF);
    in(Dimension.DATABASE, Scope.POOL)
        .put("maxActive", new WholeNumber(1, 10_000))
        .put("testOnBorrow", Word.TRUE_OR_FALSE)
        .put("testOnReturn", Word.TRUE_OR_FALSE);
    in(Dimension.JVM, Scope.ALWAYS)
        .essential("version", Text.JAVA_VERSION)
        .put("home", Text.JAVA_HOME)
        .put("libraries", new Many(Text.ARTIFACT))
        .put("needed", new Many(Text.JVM_ARGUMENT))
        .put("arguments", new Many(Text.JVM_ARGUMENT))
        .put("gcLog", Word.TRUE_OR_FALSE)
        .put("jfr", Word.of("none", "default", "profile"));
    in(Dimension.GC, Scope.ALWAYS).put("arguments", new Many(Text.JVM_ARGUMENT));
    in(Dimension.HEAP, Scope.ALWAYS)
        .put("minimum", Quantity.HEAP)
        .put("maximum", Quantity.HEAP)
        .put("disableExplicitGC", Word.TRUE_OR_FALSE);
    in(Dimension.FEDORA, Scope.ALWAYS)
        .put("installer", Text.ARTIFACT)
        .put("validation", Word.of("all", "schema", "schematron", "none"))
        .put("xacml", Word.TRUE_OR_FALSE)
        .put("checksum", Text.DIGEST)
        .put("messaging", Word.TRUE_OR_FALSE)
        .put("indexDCFields", Word.TRUE_OR_FALSE)
        .put("pids", Word.of("named", "numeric"));
    in(Dimension.LOWLEVEL, Scope.ALWAYS).essential("store", Word.of("akubra-fs", "legacy-fs"));
    in(Dimension.CONNECTOR, Scope.ALWAYS)
        .put("protocol", Text.PROTOCOL)
        .put("maxThreads", new WholeNumber(1, 100_000))
        .put("acceptCount", new WholeNumber(1, 100_000))
        .put("enableLookups", Word.TRUE_OR_FALSE);
  }

  private SettingCatalogue() {}

  static SortedMap<String, Setting> of(Dimension dimension) {
    SortedMap<String, Setting> settings = new TreeMap<>();
    SETTINGS.get(dimension).forEach(setting -> settings.put(setting.key(), setting));
    return settings;
  }

  /** Returns the keys of a dimension's settings with one of these scopes. */
  public static List<String> keys(Dimension dimension, Scope... scopes) {
    return SETTINGS.get(dimension).stream()
        .filter(setting -> Arrays.asList(scopes).contains(setting.scope()))
        .map(Setting::key)
        .toList();
  }

  private static Group in(Dimension dimension, Scope scope) {
    return new Group(SETTINGS.computeIfAbsent(dimension, any -> new ArrayList<>()), scope);
  }

  private record Group(List<Setting> settings, Scope scope) {

    Group put(String key, SettingType type) {
      settings.add(new Setting(key, scope, type, false));
      return this;
    }

    Group essential(String key, SettingType type) {
      settings.add(new Setting(key, scope, type, true));
      return this;
    }
  }
}
