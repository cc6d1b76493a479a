package org.fedometer.profiles;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.profiles.ProfileFileException.Problem;

/**
 * Whether each choice of a profile has the settings that it needs and none that would do nothing,
 * so that readers need not ask whether it is there. One object for one profile, on one thread.
 */
final class Completeness {

  private static final Set<String> FLUSHED =
      Set.of(
          "store",
          "connectorClassName",
          "syncUpdates",
          "autoFlushDormantSeconds",
          "autoFlushBufferSize",
          "bufferSafeCapacity",
          "bufferFlushBatchSize",
          "poolInitialSize");

  private static final Set<String> ON_SQL =
      Set.of("poolMaxSize", "fetchSize", "ddlGenerator", "backslashIsEscape");

  private static final Set<String> POOLED =
      Set.of("product", "server", "maxActive", "testOnBorrow", "testOnReturn");

  private static final Set<String> ON_OWN_DISKS = Set.of("dataFolder", "walFolder");

  private static final Set<String> OWN = Set.of("binaries", "programs", "driver");

  private static final Set<String> EXTERNAL =
      Set.of("url", "triplesUrl", "user", "passwordFile", "driver");

  private final Profile profile;
  private final Map<Dimension, Origin> files;
  private final List<Problem> problems = new ArrayList<>();

  private Completeness(Profile profile, Map<Dimension, Origin> files) {
    this.profile = profile;
    this.files = files;
  }

  /** Empty if nothing is lacking or in vain; {@code files} says where each choice's file begins. */
  static List<Problem> problemsOf(Profile profile, Map<Dimension, Origin> files) {
    Completeness completeness = new Completeness(profile, files);
    for (Dimension dimension : Dimension.values()) {
      switch (dimension) {
        case TRIPLESTORE -> completeness.triplestore();
        case DATABASE -> completeness.database();
        default ->
            completeness.check(dimension, "", SettingCatalogue.of(dimension).keySet(), Set.of());
      }
    }
    return completeness.problems;
  }

  private void triplestore() {
    if (!profile.has("triplestore.store")) {
      lacks(Dimension.TRIPLESTORE, "", Set.of("store"));
      return;
    }
    String store = profile.text("triplestore.store");
    String of = ", whose store is " + store + ",";
    Set<String> needed = new TreeSet<>(store.equals("none") ? Set.of("store") : FLUSHED);
    Set<String> possible = Set.of();
    if (store.equals("mptstore")) {
      needed.addAll(ON_SQL);
      if (!profile.has("database.product")) {
        // Said of the database. How long a literal can be depends on it.
        possible = Set.of("literalLength", "literalLimitBytes");
      } else if (Set.of("mysql", "mariadb").contains(profile.text("database.product"))) {
        needed.add("literalLength");
        possible = Set.of("literalLimitBytes");
      } else {
        needed.add("literalLimitBytes");
      }
    }
    check(Dimension.TRIPLESTORE, of, needed, possible);
  }

  private void database() {
    Set<String> first = new TreeSet<>(Set.of("product", "server"));
    first.removeIf(key -> profile.has("database." + key));
    if (!first.isEmpty()) {
      lacks(Dimension.DATABASE, "", first);
      return;
    }
    String product = profile.text("database.product");
    String server = profile.text("database.server");
    if (product.equals("derby") != server.equals("in-fedora")) {
      problems.add(
          new Problem(
              profile.settings().get("database.server").origin(),
              "database %s: server %s of product %s cannot be; Derby is in-fedora, any other is own"
                      .formatted(profile.choice(Dimension.DATABASE), server, product)
                  + " or external"));
      return;
    }
    Set<String> needed = new TreeSet<>(POOLED);
    switch (server) {
      case "external" -> needed.addAll(EXTERNAL);
      case "own" -> {
        needed.addAll(ON_OWN_DISKS);
        needed.addAll(OWN);
        needed.addAll(
            product.equals("postgresql") ? ServerSettings.POSTGRESQL : ServerSettings.INNODB);
      }
      default -> needed.addAll(ON_OWN_DISKS);
    }
    check(
        Dimension.DATABASE,
        ", of product %s and server %s,".formatted(product, server),
        needed,
        Set.of());
  }

  /**
   * @param of what it is about the choice that makes it need those, or nothing
   */
  private void check(Dimension dimension, String of, Set<String> needed, Set<String> possible) {
    Set<String> missing = new TreeSet<>(needed);
    Set<String> idle = new TreeSet<>();
    for (String key : SettingCatalogue.of(dimension).keySet()) {
      if (profile.has(dimension.key() + "." + key)) {
        missing.remove(key);
        if (!needed.contains(key) && !possible.contains(key)) {
          idle.add(key);
        }
      }
    }
    if (!missing.isEmpty()) {
      lacks(dimension, of, missing);
    }
    if (!idle.isEmpty()) {
      problem(
          dimension,
          "%s has settings that do nothing: %s; build it upon a choice without them"
              .formatted(of, String.join(", ", idle)));
    }
  }

  private void lacks(Dimension dimension, String of, Set<String> keys) {
    problem(
        dimension,
        "%s lacks settings: %s; add them, or name a base that has them"
            .formatted(of, String.join(", ", keys)));
  }

  private void problem(Dimension dimension, String text) {
    problems.add(
        new Problem(
            files.get(dimension), dimension.key() + " " + profile.choice(dimension) + text));
  }
}
