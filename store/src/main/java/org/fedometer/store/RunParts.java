package org.fedometer.store;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fedometer.wire.Counted;

/**
 * A run that several drivers load, each a part of it: each ships a document of its own, {@code
 * parts/3-of-8.json}, beside the {@code run.json} that all of them write, and what the run is comes
 * from all of them. Stateless.
 */
public final class RunParts {
  static final String FOLDER = "parts";

  private static final Pattern FILE =
      Pattern.compile(FOLDER + "/([1-9][0-9]{0,3})-of-([1-9][0-9]{0,3})\\.json");

  /** Of those that are missing. */
  private static final int MAX_PARTS_LISTED = 20;

  private RunParts() {}

  /** Path of a part's document below the run's folder; {@code number} is 1 to {@code count}. */
  public static String path(int number, int count) {
    return FOLDER + "/" + number + "-of-" + count + ".json";
  }

  /** Whether a file of a run, relative to its folder, is a part's document. */
  public static boolean isPart(String path) {
    Matcher named = FILE.matcher(path);
    return named.matches() && Integer.parseInt(named.group(1)) <= Integer.parseInt(named.group(2));
  }

  /**
   * @param run {@code run.json}, which one of the parts has written
   * @param byPath documents of parts by their paths; those of another run do not count
   */
  public static RunDocument joined(RunDocument run, Map<String, RunDocument> byPath) {
    Map<String, RunDocument> own = ownParts(run, byPath);
    return own.isEmpty() ? run : JoinedParts.of(own);
  }

  /** The documents among these that are of this run's parts, in the order given. */
  public static Map<String, RunDocument> ownParts(
      RunDocument run, Map<String, RunDocument> byPath) {
    Map<String, RunDocument> own = new LinkedHashMap<>();
    byPath.forEach(
        (path, part) -> {
          if (isPart(path) && part.id() != null && part.id().equals(run.id())) {
            own.put(path, part);
          }
        });
    return own;
  }

  record PartNumber(int number, int count) {
    static PartNumber of(String path) {
      Matcher named = FILE.matcher(path);
      if (!named.matches()) {
        throw new IllegalArgumentException(path + " is no part's document");
      }
      return new PartNumber(Integer.parseInt(named.group(1)), Integer.parseInt(named.group(2)));
    }

    /** The fewest objects in all of which this part has so many. */
    long minTotal(long objects) {
      return (objects - 1) * count + number;
    }

    long maxTotal(long objects) {
      return minTotal(objects) + count - 1;
    }

    @Override
    public String toString() {
      return number + "/" + count;
    }
  }

  /**
   * Parts of which nothing has come, as in {@code 1/4, 4/4}; empty where they do not agree on how
   * many there are.
   */
  public static Optional<String> missing(Collection<String> paths) {
    List<PartNumber> missing = missingParts(paths);
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    int named = Math.min(MAX_PARTS_LISTED, missing.size());
    String names =
        missing.subList(0, named).stream()
            .map(PartNumber::toString)
            .collect(Collectors.joining(", "));
    int unnamed = missing.size() - named;
    return Optional.of(names + (unnamed > 0 ? " and " + unnamed + " more" : ""));
  }

  /** None where they do not agree on how many there are. */
  static List<PartNumber> missingParts(Collection<String> paths) {
    List<PartNumber> there = paths.stream().map(PartNumber::of).toList();
    List<Integer> counts = there.stream().map(PartNumber::count).distinct().toList();
    if (counts.size() != 1) {
      return List.of();
    }
    int count = counts.get(0);
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> new PartNumber(number, count))
        .filter(part -> !there.contains(part))
        .toList();
  }

  /**
   * In what the parts are not parts of one load: how many there are, their datasets, how content
   * got into Fedora, or how many objects there are in all.
   *
   * @param parts documents of one run by their paths
   * @return words to follow a colon; empty if they agree
   */
  public static Optional<String> disagreement(Map<String, RunDocument> parts) {
    PartNumber first = null;
    Map<String, String> ofFirst = Map.of();
    Bound minBound = null;
    Bound maxBound = null;
    for (Map.Entry<String, RunDocument> part : parts.entrySet()) {
      PartNumber partNumber = PartNumber.of(part.getKey());
      Map<String, String> facts = commonFacts(part.getValue());
      if (first == null) {
        first = partNumber;
        ofFirst = facts;
      }
      if (partNumber.count() != first.count()) {
        return Optional.of(first + " and " + partNumber + " are not of as many parts");
      }
      Set<String> names = new LinkedHashSet<>(ofFirst.keySet());
      names.addAll(facts.keySet());
      for (String name : names) {
        if (!Objects.equals(ofFirst.get(name), facts.get(name))) {
          return Optional.of(
              name
                  + " is "
                  + ofFirst.get(name)
                  + " in "
                  + first
                  + " and "
                  + facts.get(name)
                  + " in "
                  + partNumber);
        }
      }
      long objects = objectsAskedFor(part.getValue());
      if (objects > 0) {
        minBound =
            Bound.larger(minBound, new Bound(partNumber, objects, partNumber.minTotal(objects)));
        maxBound =
            Bound.smaller(maxBound, new Bound(partNumber, objects, partNumber.maxTotal(objects)));
      }
    }
    return minBound != null && minBound.total() > maxBound.total()
        ? Optional.of(
            minBound + " and " + maxBound + " are not parts of the same number of objects")
        : Optional.empty();
  }

  /**
   * What a part's number of objects says of that of all.
   *
   * @param objects of the part
   * @param total at least, or at most
   */
  private record Bound(PartNumber part, long objects, long total) {
    static Bound larger(Bound a, Bound b) {
      return a == null || b.total > a.total ? b : a;
    }

    static Bound smaller(Bound a, Bound b) {
      return a == null || b.total < a.total ? b : a;
    }

    /** As {@code 10 objects in 1/3 (--objects 28 to 30)}. */
    @Override
    public String toString() {
      return Counted.of(objects, "object")
          + " in "
          + part
          + " (--objects "
          + part.minTotal(objects)
          + " to "
          + part.maxTotal(objects)
          + ")";
    }
  }

  /** What decides what an object is and how it is sent. */
  private static Map<String, String> commonFacts(RunDocument part) {
    Map<String, String> facts = new LinkedHashMap<>();
    if (part.dataset() != null) {
      facts.put("dataset", part.dataset().name());
      if (part.dataset().parameters() != null) {
        part.dataset()
            .parameters()
            .forEach((name, value) -> facts.put("the dataset's " + name, value));
        facts.remove("the dataset's dir"); // each host has the same files where it has them
      }
    }
    if (part.workload() != null) {
      for (String name : List.of("content", "packaging", "checksum")) {
        facts.put("--" + name, part.workload().get(name));
      }
    }
    return facts;
  }

  /** 0 where no number was asked for, or the load has ended before. */
  private static long objectsAskedFor(RunDocument part) {
    boolean endedBefore = part.load() != null && part.load().endedBy() != null;
    return part.objects() == null || endedBefore ? 0 : part.objects().requested();
  }
}
