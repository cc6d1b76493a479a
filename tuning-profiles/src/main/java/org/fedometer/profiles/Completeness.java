package org.fedometer.profiles;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.profiles.ProfileFileException.Problem;

/**
 * Checks that each choice of a profile has all settings that it needs and none without effect, so
 * that later code can rely on them. One object per profile, not thread-safe.
 */
final class Completeness {

  private final Profile profile;
  private final Map<Dimension, Origin> files;
  private final List<Problem> problems = new ArrayList<>();

  private Completeness(Profile profile, Map<Dimension, Origin> files) {
    this.profile = profile;
    this.files = files;
  }

  /**
   * Returns missing and ineffective settings; {@code files} has the origin of each choice's file.
   */
  static List<Problem> problemsOf(Profile profile, Map<Dimension, Origin> files) {
    Completeness completeness = new Completeness(profile, files);
    for (Dimension dimension : Dimension.values()) {
      switch (dimension) {
        case TRIPLESTORE -> completeness.triplestore();
        case DATABASE -> completeness.database();
        default -> completeness.check(dimension, "");
      }
    }
    return completeness.problems;
  }

  private void triplestore() {
    if (!profile.has("triplestore.store")) {
      lacks(Dimension.TRIPLESTORE, "", Set.of("store"));
      return;
    }
    check(Dimension.TRIPLESTORE, ", whose store is " + profile.text("triplestore.store") + ",");
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
              ("database %s: product %s cannot have the server %s; Derby needs in-fedora, any other"
                      + " product managed or external")
                  .formatted(profile.choice(Dimension.DATABASE), product, server)));
      return;
    }
    check(Dimension.DATABASE, ", of product %s and server %s,".formatted(product, server));
  }

  /**
   * @param of property of the choice that determines its settings, or empty
   */
  private void check(Dimension dimension, String of) {
    Set<String> missing = new TreeSet<>();
    Set<String> idle = new TreeSet<>();
    SettingCatalogue.of(dimension)
        .forEach(
            (key, setting) -> {
              boolean there = profile.has(dimension.key() + "." + key);
              if (!there && setting.scope().isNeeded(profile)) {
                missing.add(key);
              } else if (there && !setting.scope().isPossible(profile)) {
                idle.add(key);
              }
            });
    if (!missing.isEmpty()) {
      lacks(dimension, of, missing);
    }
    if (!idle.isEmpty()) {
      problem(
          dimension,
          "%s has settings without effect: %s; remove them, or name a base without them"
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
