package org.fedometer.profiles;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.profiles.ProfileFileException.Problem;
import org.fedometer.profiles.SettingType.Quantity;
import org.fedometer.profiles.SettingType.Units;

/**
 * Checks combinations of a profile's settings, once {@link Completeness} finds no problem. One
 * object per profile, not thread-safe.
 */
final class Combinations {

  /** Connections that PostgreSQL, and similarly MySQL, reserves for superusers. */
  private static final int RESERVED_CONNECTIONS = 3;

  /** Characters, of up to three bytes each, in the 767 bytes of a key of MySQL 5.5. */
  private static final int MYSQL_KEY = 255;

  private static final Map<String, String> CONNECTORS =
      Map.of(
          "mulgara", "org.trippi.impl.mulgara.MulgaraConnector",
          "mptstore", "org.trippi.impl.mpt.MPTConnector");

  private static final Map<Pattern, String> ARGUMENTS_OF_HEAP =
      Map.of(
          // The launcher also accepts -mx and -ms. A percentage has no effect beside a size.
          Pattern.compile("-X?m[sx].*|-XX:(Initial|Max|Min)(HeapSize|RAMPercentage)=.*"),
          "choose the heap's size with heap",
          Pattern.compile("-XX:[+-]DisableExplicitGC"),
          "set heap.disableExplicitGC");

  private static final Map<Pattern, String> ARGUMENTS_OF_COLLECTOR =
      Map.of(Pattern.compile("-XX:[+-]Use\\w+GC"), "choose the garbage collector with gc");

  private final Profile profile;
  private final List<Problem> problems = new ArrayList<>();

  private Combinations(Profile profile) {
    this.profile = profile;
  }

  /** Returns the problems that make the profile impossible. */
  static List<Problem> problemsOf(Profile profile) {
    Combinations combinations = new Combinations(profile);
    combinations.triplestore();
    combinations.heap();
    combinations.notAbove("triplestore.autoFlushBufferSize", "triplestore.bufferSafeCapacity");
    // Trippi rejects it, but only when Fedora starts.
    combinations.notAbove("triplestore.bufferFlushBatchSize", "triplestore.autoFlushBufferSize");
    combinations.notAbove("triplestore.poolInitialSize", "triplestore.poolMaxSize");
    combinations.literalLength();
    combinations.connections();
    combinations.innodbLog();
    combinations.programs();
    combinations.driver();
    combinations.externalDatabase();
    combinations.arguments();
    return combinations.problems;
  }

  /** Returns values that are needed before a stack can be made of the profile. */
  static List<Problem> missing(Profile profile) {
    List<Problem> missing = new ArrayList<>();
    if (!profile.isDatabaseExternal()) {
      return missing;
    }
    List<String> needed = new ArrayList<>(List.of("database.url", "database.passwordFile"));
    if (profile.isOnMptstore()) {
      needed.add("database.triplesUrl");
    }
    for (String name : needed) {
      if (profile.text(name).equals("none")) {
        missing.add(
            new Problem(
                profile.settings().get(name).origin(),
                "an external database needs %s; set it with --set %s=... or in a profile"
                    .formatted(name, name)));
      }
    }
    return missing;
  }

  private void triplestore() {
    String store = profile.text("triplestore.store");
    DatabaseProduct product = profile.product();
    String database = "database " + product.key();
    mustBe("triplestore.connectorClassName", "store " + store, CONNECTORS.get(store));
    mustBe("triplestore.ddlGenerator", database, product.ddlGenerator());
    mustBe("triplestore.backslashIsEscape", database, Boolean.toString(product.isMySql()));
  }

  private void mustBe(String setting, String of, String value) {
    if (profile.has(setting) && !profile.text(setting).equals(value)) {
      problem(
          setting,
          "%s %s does not fit %s, which needs %s"
              .formatted(setting, profile.text(setting), of, value));
    }
  }

  private void heap() {
    BigInteger minimum = amount(Units.JVM, "heap.minimum");
    BigInteger maximum = amount(Units.JVM, "heap.maximum");
    if (minimum.compareTo(maximum) > 0) {
      problem(
          "heap.minimum",
          "heap.minimum %s is above heap.maximum %s"
              .formatted(profile.text("heap.minimum"), profile.text("heap.maximum")));
    }
  }

  private BigInteger amount(Units units, String setting) {
    return units.amount(profile.text(setting)).orElseThrow();
  }

  private void notAbove(String smaller, String larger) {
    if (profile.has(smaller)
        && profile.has(larger)
        && profile.number(smaller) > profile.number(larger)) {
      problem(
          smaller,
          "%s %s is above %s %s"
              .formatted(smaller, profile.text(smaller), larger, profile.text(larger)));
    }
  }

  private void literalLength() {
    String name = "triplestore.literalLength";
    if (profile.has(name)
        && profile.number(name) > MYSQL_KEY
        && profile.product() == DatabaseProduct.MYSQL
        && !profile.isDatabaseExternal()) {
      problem(
          name,
          ("%s %s is above the key length of MySQL 5.5, %d; set at most that, or choose"
                  + " another database")
              .formatted(name, profile.text(name), MYSQL_KEY));
    }
  }

  private void connections() {
    if (!profile.has("database.max_connections")) {
      return;
    }
    int needed = profile.number("database.maxActive") + RESERVED_CONNECTIONS;
    if (profile.isOnMptstore()) {
      needed += profile.number("triplestore.poolMaxSize");
    }
    if (profile.number("database.max_connections") < needed) {
      problem(
          "database.max_connections",
          ("database.max_connections %s is too few: Fedora's pool (database.maxActive), MPTStore's"
                  + " (triplestore.poolMaxSize) and %d for administrators need %d")
              .formatted(profile.text("database.max_connections"), RESERVED_CONNECTIONS, needed));
    }
  }

  private void innodbLog() {
    String name = "database.innodb_log_file_size";
    if (!profile.has(name)) {
      return;
    }
    // MySQL 5.5 has two files, together less than 4 GiB; MariaDB has one.
    boolean mysql = profile.product() == DatabaseProduct.MYSQL;
    Quantity log = new Quantity(Units.INNODB, mysql ? "1M" : "4M", mysql ? "2047M" : "512G");
    if (!log.accepts(profile.text(name))) {
      problem(
          name,
          "%s %s is not possible with %s; expected %s"
              .formatted(
                  name,
                  profile.text(name),
                  mysql ? "MySQL 5.5, which has two such files" : "MariaDB",
                  log.allowed()));
    }
  }

  private void programs() {
    String name = "database.programs";
    if (profile.has(name)
        && profile.product() == DatabaseProduct.MYSQL
        && !profile.text(name).equals("binaries")) {
      problem(
          name,
          ("%s %s: an installed MySQL is not supported; set it to binaries, or use a"
                  + " running server with database=mysql-external")
              .formatted(name, profile.text(name)));
    }
  }

  /** Checks the driver: Fedora determines its class, whatever the jar. */
  private void driver() {
    String name = "database.driver";
    if (!profile.has(name) || profile.text(name).equals("war")) {
      return;
    }
    DatabaseProduct product = profile.product();
    if (product.drivers().stream()
        .noneMatch(driver -> profile.text(name).startsWith(driver + ":"))) {
      problem(
          name,
          "%s %s: Fedora loads the class %s, which only %s has"
              .formatted(
                  name,
                  profile.text(name),
                  product.driverClass(),
                  String.join(" or ", product.drivers())));
    }
  }

  private void externalDatabase() {
    if (!profile.isDatabaseExternal()) {
      return;
    }
    String prefix = profile.product().urlPrefix();
    for (String name : List.of("database.url", "database.triplesUrl")) {
      String url = profile.text(name);
      if (!url.equals("none") && !url.startsWith(prefix)) {
        problem(
            name,
            "%s %s is not a URL of %s, which begins with %s"
                .formatted(name, url, profile.product().key(), prefix));
      }
    }
    String url = profile.text("database.url");
    if (!url.equals("none")
        && databaseOf(url).equals(databaseOf(profile.text("database.triplesUrl")))) {
      problem(
          "database.triplesUrl",
          "database.triplesUrl names the database of database.url; give the triples a"
              + " database of their own");
    }
  }

  /** Returns host, port and name in a canonical form. */
  private static String databaseOf(String url) {
    String port = url.startsWith("jdbc:postgresql:") ? "5432" : "3306";
    String withoutOptions = url.replaceFirst("\\?.*$", "");
    Matcher server = Pattern.compile("(jdbc:\\w+://)([^/:]*)(:\\d+)?(/.*)").matcher(withoutOptions);
    return server.matches()
        ? server.group(1)
            + server.group(2).toLowerCase(Locale.ROOT)
            + (server.group(3) == null ? ":" + port : server.group(3))
            + server.group(4)
        : withoutOptions;
  }

  private void arguments() {
    for (String setting : List.of("jvm.needed", "jvm.arguments")) {
      refuse(setting, ARGUMENTS_OF_COLLECTOR);
      refuse(setting, ARGUMENTS_OF_HEAP);
    }
    refuse("gc.arguments", ARGUMENTS_OF_HEAP);
  }

  private void refuse(String setting, Map<Pattern, String> forms) {
    for (String argument : profile.list(setting)) {
      forms.forEach(
          (form, instead) -> {
            if (form.matcher(argument).matches()) {
              problem(setting, "%s %s: %s".formatted(setting, argument, instead));
            }
          });
    }
  }

  private void problem(String setting, String text) {
    problems.add(new Problem(profile.settings().get(setting).origin(), text));
  }
}
