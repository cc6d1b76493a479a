package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.fedometer.analysis.compare.RunFacts.Value;
import org.fedometer.store.RunDocument;

/**
 * Differences of two runs, by relation to the profile: its changes are the subject of a comparison,
 * all others invalidate it. Pure.
 *
 * @param profile settings and choices of the profile
 * @param following versions, command lines and configuration that Fedometer derives from different
 *     choices; a difference need not be a consequence of them
 * @param other differences that the profiles cannot explain
 */
public record EnvironmentDifference(
    List<Difference> profile, List<Difference> following, List<Difference> other) {

  public EnvironmentDifference {
    profile = List.copyOf(profile);
    following = List.copyOf(following);
    other = List.copyOf(other);
  }

  /**
   * A difference between both runs.
   *
   * @param area subject: {@code profile}, {@code host}, {@code configuration} ...
   * @param first values of the first run that the second lacks; empty for none
   * @param second values of the second run that the first lacks; empty for none
   */
  public record Difference(String area, String name, List<String> first, List<String> second) {
    public Difference {
      first = List.copyOf(first);
      second = List.copyOf(second);
    }

    /** Returns the name, preceded by the area unless that is the profile. */
    String named() {
      return area.equals("profile") ? name : area + ": " + name;
    }
  }

  static EnvironmentDifference of(
      RunDocument firstRun,
      Map<String, RunFacts.Fact> firstFacts,
      RunDocument secondRun,
      Map<String, RunFacts.Fact> secondFacts) {
    List<Difference> profile = new ArrayList<>();
    Set<String> changed = new TreeSet<>();
    // If only one has a profile, all of it would be a meaningless difference.
    boolean comparable = (firstRun.profile() == null) == (secondRun.profile() == null);
    Map<String, String> first = profileOf(firstRun);
    Map<String, String> second = profileOf(secondRun);
    for (String name : union(first, second)) {
      List<String> one = listOf(first.get(name));
      List<String> two = listOf(second.get(name));
      if (!one.equals(two)) {
        if (comparable) {
          profile.add(new Difference("profile", name, one, two));
        }
        changed.add(name.replaceFirst("\\..*$", ""));
      }
    }
    List<Difference> following = new ArrayList<>();
    List<Difference> other = new ArrayList<>();
    for (String key : union(firstFacts, secondFacts)) {
      RunFacts.Fact one = firstFacts.get(key);
      RunFacts.Fact two = secondFacts.get(key);
      List<Value> firstValues = valuesOf(one);
      List<Value> secondValues = valuesOf(two);
      if (!same(firstValues, secondValues)) {
        RunFacts.Fact either = one == null ? two : one;
        boolean ofProfile = either.dimensions().stream().anyMatch(changed::contains);
        (ofProfile ? following : other).add(difference(either, firstValues, secondValues));
      }
    }
    return new EnvironmentDifference(profile, following, other);
  }

  private static List<Value> valuesOf(RunFacts.Fact factOrNull) {
    return factOrNull == null ? List.of() : factOrNull.values();
  }

  private static boolean same(List<Value> first, List<Value> second) {
    boolean same = first.size() == second.size();
    for (int i = 0; same && i < first.size(); i++) {
      same = first.get(i).sameAs(second.get(i));
    }
    return same;
  }

  /** Returns the values in one list only; if there are none, the order is the difference. */
  private static Difference difference(RunFacts.Fact fact, List<Value> first, List<Value> second) {
    List<String> onlyFirst = without(first, second);
    List<String> onlySecond = without(second, first);
    return onlyFirst.isEmpty() && onlySecond.isEmpty()
        ? new Difference(
            fact.area(),
            fact.name(),
            List.of("(the same, in another order)"),
            List.of("(likewise)"))
        : new Difference(fact.area(), fact.name(), onlyFirst, onlySecond);
  }

  private static List<String> without(List<Value> values, List<Value> others) {
    Map<String, Integer> plain = new HashMap<>();
    Map<String, Integer> written = new HashMap<>();
    for (Value other : others) {
      plain.merge(other.plain(), 1, Integer::sum);
      written.merge(other.written(), 1, Integer::sum);
    }
    List<String> left = new ArrayList<>();
    for (Value value : values) {
      boolean plainToo = remove(plain, value.plain());
      boolean writtenToo = remove(written, value.written());
      if (!plainToo && !writtenToo) {
        left.add(value.plain());
      }
    }
    return left;
  }

  private static boolean remove(Map<String, Integer> counts, String value) {
    Integer left = counts.computeIfPresent(value, (v, count) -> count - 1);
    return left != null && left >= 0;
  }

  /** Returns choices by dimension, settings by dimension and key. */
  private static Map<String, String> profileOf(RunDocument run) {
    Map<String, String> all = new TreeMap<>();
    if (run.profile() != null) {
      all.putAll(RunFacts.orEmpty(run.profile().choices()));
      all.putAll(RunFacts.orEmpty(run.profile().settings()));
    }
    return all;
  }

  private static List<String> listOf(String value) {
    return value == null ? List.of() : List.of(value);
  }

  static Set<String> union(Map<String, ?> first, Map<String, ?> second) {
    Set<String> both = new LinkedHashSet<>(first.keySet());
    both.addAll(second.keySet());
    return both;
  }
}
