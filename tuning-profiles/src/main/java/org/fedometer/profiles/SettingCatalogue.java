package org.fedometer.profiles;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.fedometer.profiles.SettingType.Many;
import org.fedometer.profiles.SettingType.Quantity;
import org.fedometer.profiles.SettingType.Text;
import org.fedometer.profiles.SettingType.Units;
import org.fedometer.profiles.SettingType.Whole;
import org.fedometer.profiles.SettingType.Word;

/**
 * Every setting that a profile file may name. Keys are the names that Fedora, the databases, Tomcat
 * and Maven use themselves where they have one, so that their own documentation explains them.
 */
final class SettingCatalogue {

  private static final Whole COUNT = new Whole(1, 10_000_000);

  /** What a choice is; with another value it would be another choice under the same name. */
  private static final Set<String> ESSENTIAL =
      Set.of(
          "triplestore.store",
          "triplestore.connectorClassName",
          "triplestore.ddlGenerator",
          "triplestore.backslashIsEscape",
          "database.product",
          "database.server",
          "jvm.version",
          "lowlevel.store");

  private static final Map<Dimension, SortedMap<String, SettingType>> TYPES =
      new EnumMap<>(Dimension.class);

  static {
    put(
        Dimension.TRIPLESTORE,
        Map.ofEntries(
            Map.entry("store", Word.of("mulgara", "mptstore", "none")),
            Map.entry("connectorClassName", Text.CLASS_NAME),
            Map.entry("syncUpdates", Word.TRUE_OR_FALSE),
            Map.entry("autoFlushDormantSeconds", new Whole(1, 86_400)),
            Map.entry("autoFlushBufferSize", COUNT),
            Map.entry("bufferSafeCapacity", COUNT),
            Map.entry("bufferFlushBatchSize", COUNT),
            Map.entry("poolInitialSize", new Whole(0, 1000)),
            Map.entry("poolMaxSize", new Whole(1, 1000)),
            Map.entry("fetchSize", COUNT),
            Map.entry("ddlGenerator", Text.CLASS_NAME),
            Map.entry("backslashIsEscape", Word.TRUE_OR_FALSE),
            // The URIs of an object need some 200; two columns of 10,920 fill a row of InnoDB's.
            Map.entry("literalLength", new Whole(202, 10_000)),
            Map.entry("literalLimitBytes", COUNT)));
    put(
        Dimension.DATABASE,
        Map.ofEntries(
            Map.entry("product", Word.of("derby", "postgresql", "mysql", "mariadb")),
            Map.entry("server", Word.of("in-fedora", "own", "external")),
            Map.entry("binaries", Text.ARTIFACT),
            Map.entry("programs", Text.PROGRAMS),
            Map.entry("driver", Text.DRIVER),
            Map.entry("dataFolder", Text.FOLDER),
            Map.entry("walFolder", Text.FOLDER),
            Map.entry("url", Text.JDBC_URL),
            Map.entry("triplesUrl", Text.JDBC_URL),
            Map.entry("user", Text.USER),
            Map.entry("passwordFile", Text.FILE),
            Map.entry("max_connections", new Whole(10, 10_000)),
            // PostgreSQL's, which refuses to start beyond these bounds
            Map.entry("shared_buffers", new Quantity(Units.POSTGRESQL, "128kB", "8191GB")),
            Map.entry("work_mem", new Quantity(Units.POSTGRESQL, "64kB", "2047GB")),
            // Less it takes for 32 kB.
            Map.entry("wal_buffers", new Quantity(Units.POSTGRESQL, "32kB", "2047MB")),
            Map.entry("max_wal_size", new Quantity(Units.POSTGRESQL, "32MB", "2047GB")),
            Map.entry("checkpoint_timeout", new Quantity(Units.POSTGRESQL_TIME, "30s", "1d")),
            Map.entry("fsync", Word.ON_OR_OFF),
            // Its other values wait for a standby, and without one mean on.
            Map.entry("synchronous_commit", Word.ON_OR_OFF),
            Map.entry("full_page_writes", Word.ON_OR_OFF),
            Map.entry("autovacuum", Word.ON_OR_OFF),
            // InnoDB's: with less MySQL takes the least, and MariaDB does not start
            Map.entry("innodb_buffer_pool_size", new Quantity(Units.INNODB, "5M", "1024G")),
            Map.entry("innodb_log_file_size", new Quantity(Units.INNODB, "1M", "512G")),
            Map.entry("innodb_flush_log_at_trx_commit", new Whole(0, 2)),
            Map.entry("innodb_flush_method", Word.of("fsync", "O_DSYNC", "O_DIRECT")),
            Map.entry("innodb_doublewrite", Word.ON_OR_OFF),
            // of Fedora's pool of connections
            Map.entry("maxActive", new Whole(1, 10_000)),
            Map.entry("testOnBorrow", Word.TRUE_OR_FALSE),
            Map.entry("testOnReturn", Word.TRUE_OR_FALSE)));
    put(
        Dimension.JVM,
        Map.of(
            "version",
            Text.JAVA_VERSION,
            "home",
            Text.JAVA_HOME,
            "libraries",
            new Many(Text.ARTIFACT),
            "needed",
            new Many(Text.JVM_ARGUMENT),
            "arguments",
            new Many(Text.JVM_ARGUMENT),
            "gcLog",
            Word.TRUE_OR_FALSE,
            "jfr",
            Word.of("none", "default", "profile")));
    put(Dimension.GC, Map.of("arguments", new Many(Text.JVM_ARGUMENT)));
    put(
        Dimension.HEAP,
        Map.of(
            "minimum", Quantity.HEAP,
            "maximum", Quantity.HEAP,
            "disableExplicitGC", Word.TRUE_OR_FALSE));
    put(
        Dimension.FEDORA,
        Map.of(
            "installer", Text.ARTIFACT,
            "validation", Word.of("all", "schema", "schematron", "none"),
            "xacml", Word.TRUE_OR_FALSE,
            "checksum", Text.DIGEST,
            "messaging", Word.TRUE_OR_FALSE,
            "indexDCFields", Word.TRUE_OR_FALSE,
            "pids", Word.of("named", "numeric")));
    put(Dimension.LOWLEVEL, Map.of("store", Word.of("akubra-fs", "legacy-fs")));
    put(
        Dimension.CONNECTOR,
        Map.of(
            "protocol",
            Text.PROTOCOL,
            "maxThreads",
            new Whole(1, 100_000),
            "acceptCount",
            new Whole(1, 100_000),
            "enableLookups",
            Word.TRUE_OR_FALSE));
  }

  private SettingCatalogue() {}

  static SortedMap<String, SettingType> of(Dimension dimension) {
    return TYPES.get(dimension);
  }

  /** Whether only the file of a choice can say it, and no profile or command over it. */
  static boolean isEssential(Dimension dimension, String key) {
    return ESSENTIAL.contains(dimension.key() + "." + key);
  }

  private static void put(Dimension dimension, Map<String, SettingType> types) {
    TYPES.put(dimension, Collections.unmodifiableSortedMap(new TreeMap<>(types)));
  }
}
