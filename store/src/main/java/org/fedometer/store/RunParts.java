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
  private static final int MOST_NAMED = 20;

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

  record Place(int number, int count) {
    static Place of(String path) {
      Matcher named = FILE.matcher(path);
      if (!named.matches()) {
        throw new IllegalArgumentException(path + " is no part's document");
      }
      return new Place(Integer.parseInt(named.group(1)), Integer.parseInt(named.group(2)));
    }

    /** The fewest objects in all of which this part has so many. */
    long leastInAll(long objects) {
      return (objects - 1) * count + number;
    }

    long mostInAll(long objects) {
      return leastInAll(objects) + count - 1;
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
    List<Place> missing = missingPlaces(paths);
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    int named = Math.min(MOST_NAMED, missing.size());
    String names =
        missing.subList(0, named).stream().map(Place::toString).collect(Collectors.joining(", "));
    int untold = missing.size() - named;
    return Optional.of(names + (untold > 0 ? " and " + untold + " more" : ""));
  }

  /** None where they do not agree on how many there are. */
  static List<Place> missingPlaces(Collection<String> paths) {
    List<Place> there = paths.stream().map(Place::of).toList();
    List<Integer> counts = there.stream().map(Place::count).distinct().toList();
    if (counts.size() != 1) {
      return List.of();
    }
    int count = counts.get(0);
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> new Place(number, count))
        .filter(place -> !there.contains(place))
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
    Place first = null;
    Map<String, String> ofFirst = Map.of();
    Bound least = null;
    Bound most = null;
    for (Map.Entry<String, RunDocument> part : parts.entrySet()) {
      Place place = Place.of(part.getKey());
      Map<String, String> facts = commonFacts(part.getValue());
      if (first == null) {
        first = place;
        ofFirst = facts;
      }
      if (place.count() != first.count()) {
        return Optional.of(first + " and " + place + " are not of as many parts");
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
                  + place);
        }
      }
      long objects = objectsAskedFor(part.getValue());
      if (objects > 0) {
        least = Bound.larger(least, new Bound(place, objects, place.leastInAll(objects)));
        most = Bound.smaller(most, new Bound(place, objects, place.mostInAll(objects)));
      }
    }
    return least != null && least.inAll() > most.inAll()
        ? Optional.of(least + " and " + most + " are not parts of the same number of objects")
        : Optional.empty();
  }

  /**
   * What a part's number of objects says of that of all.
   *
   * @param objects of the part
   * @param inAll at least, or at most
   */
  private record Bound(Place place, long objects, long inAll) {
    static Bound larger(Bound a, Bound b) {
      return a == null || b.inAll > a.inAll ? b : a;
    }

    static Bound smaller(Bound a, Bound b) {
      return a == null || b.inAll < a.inAll ? b : a;
    }

    /** As {@code 10 objects in 1/3 (--objects 28 to 30)}. */
    @Override
    public String toString() {
      return Counted.of(objects, "object")
          + " in "
          + place
          + " (--objects "
          + place.leastInAll(objects)
          + " to "
          + place.mostInAll(objects)
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
