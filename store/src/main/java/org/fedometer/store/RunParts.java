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
 * A run with several drivers, each of which loads a part. Each sends its own document, {@code
 * parts/3-of-8.json}, beside the common {@code run.json}; the run's document joins them. Stateless.
 */
public final class RunParts {
  static final String FOLDER = "parts";

  private static final Pattern FILE =
      Pattern.compile(FOLDER + "/([1-9][0-9]{0,3})-of-([1-9][0-9]{0,3})\\.json");

  /** Limit of listed missing parts. */
  private static final int MAX_PARTS_LISTED = 20;

  private RunParts() {}

  /**
   * Returns the path of a part's document below the run's folder; {@code number} is 1 to {@code
   * count}.
   */
  public static String path(int number, int count) {
    return FOLDER + "/" + number + "-of-" + count + ".json";
  }

  /** Returns whether a file of a run, relative to its folder, is a part's document. */
  public static boolean isPart(String path) {
    Matcher named = FILE.matcher(path);
    return named.matches() && Integer.parseInt(named.group(1)) <= Integer.parseInt(named.group(2));
  }

  /**
   * @param run {@code run.json}, written by one of the parts
   * @param byPath documents of parts by path; those of another run are ignored
   */
  public static RunDocument joined(RunDocument run, Map<String, RunDocument> byPath) {
    Map<String, RunDocument> own = ownParts(run, byPath);
    return own.isEmpty() ? run : JoinedParts.of(own);
  }

  /** Returns the documents of this run's parts, in the given order. */
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
        throw new IllegalArgumentException(path + " is not the document of a part");
      }
      return new PartNumber(Integer.parseInt(named.group(1)), Integer.parseInt(named.group(2)));
    }

    /** Returns the minimum total of objects if this part has so many. */
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

  /** Returns missing parts, as in {@code 1/4, 4/4}; empty if the parts disagree on their number. */
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

  /** Returns missing parts; none if the parts disagree on their number. */
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
   * Returns how the parts contradict each other: in their number, their datasets, the transport of
   * content, or the total of objects.
   *
   * @param parts documents of one run by path
   * @return a text to follow a colon; empty if they agree
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
        return Optional.of(first + " and " + partNumber + " differ in the number of parts");
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
        ? Optional.of(minBound + " and " + maxBound + " imply different values of --objects")
        : Optional.empty();
  }

  /**
   * The total of objects implied by a part's number of objects.
   *
   * @param objects of the part
   * @param total minimum or maximum
   */
  private record Bound(PartNumber part, long objects, long total) {
    static Bound larger(Bound a, Bound b) {
      return a == null || b.total > a.total ? b : a;
    }

    static Bound smaller(Bound a, Bound b) {
      return a == null || b.total < a.total ? b : a;
    }

    /** Returns a text like {@code 10 objects in 1/3 (--objects 28 to 30)}. */
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

  /** Returns the facts that determine an object and its transport. */
  private static Map<String, String> commonFacts(RunDocument part) {
    Map<String, String> facts = new LinkedHashMap<>();
    if (part.dataset() != null) {
      facts.put("dataset", part.dataset().name());
      if (part.dataset().parameters() != null) {
        part.dataset()
            .parameters()
            .forEach((name, value) -> facts.put("the dataset's " + name, value));
        facts.remove("the dataset's dir"); // hosts may have the same files in different places
      }
    }
    if (part.workload() != null) {
      for (String name : List.of("content", "packaging", "checksum")) {
        facts.put("--" + name, part.workload().get(name));
      }
    }
    return facts;
  }

  /** Returns 0 if no number was requested, or the load ended early. */
  private static long objectsAskedFor(RunDocument part) {
    boolean endedBefore = part.load() != null && part.load().endedBy() != null;
    return part.objects() == null || endedBefore ? 0 : part.objects().requested();
  }
}
