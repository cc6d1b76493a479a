package org.fedometer.store;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A run that several drivers load, each a part of it: each ships a document of its own, {@code
 * parts/3-of-8.json}, beside the {@code run.json} that all of them write, and what the run is comes
 * from all of them. Stateless.
 */
public final class RunParts {
  static final String FOLDER = "parts";

  private static final Pattern FILE =
      Pattern.compile(FOLDER + "/([1-9][0-9]{0,3})-of-([1-9][0-9]{0,3})\\.json");
  private static final int FAILURES_KEPT = 20;

  /** From the best to the worst; a run is as its worst part, if none is still at work. */
  private static final List<String> STATES =
      Stream.of(
              RunState.DONE,
              RunState.DONE_WITH_ERRORS,
              RunState.INTERRUPTED,
              RunState.FAILED,
              RunState.RUNNING)
          .map(RunState::id)
          .toList();

  private RunParts() {}

  /**
   * Path of a part's document below the run's folder.
   *
   * @param number 1 to {@code count}
   */
  public static String path(int number, int count) {
    return FOLDER + "/" + number + "-of-" + count + ".json";
  }

  /** Whether a file of a run, relative to its folder, is a part's document. */
  public static boolean isPart(String path) {
    Matcher named = FILE.matcher(path);
    return named.matches() && Integer.parseInt(named.group(1)) <= Integer.parseInt(named.group(2));
  }

  /**
   * The run of all parts.
   *
   * @param run {@code run.json}, which one of the parts has written
   * @param byPath documents of parts by their paths; those of another run do not count
   */
  public static RunDocument joined(RunDocument run, Map<String, RunDocument> byPath) {
    Map<String, RunDocument> own = ownParts(run, byPath);
    return own.isEmpty() ? run : join(own);
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

  private static RunDocument join(Map<String, RunDocument> byPath) {
    List<RunDocument> parts = new ArrayList<>(byPath.values());
    parts.sort(
        Comparator.comparing(
            part -> instant(part.started()), Comparator.nullsLast(Comparator.naturalOrder())));
    RunDocument first = parts.get(0);
    boolean oneClock = parts.stream().map(RunDocument::bootId).distinct().count() == 1;
    List<RunDocument> ofOneClock = oneClock ? parts : List.of(first);
    List<String> notes = new ArrayList<>();
    int missing = noteMissing(byPath, notes);
    noteAtWork(byPath, notes);
    if (!oneClock) {
      notes.add(
          "Its drivers ran on several hosts: times of steps and outages are those of the one that"
              + " began first.");
    }
    parts.stream().flatMap(part -> listOf(part.notes()).stream()).distinct().forEach(notes::add);
    return first.toBuilder()
        .state(state(parts, missing))
        .failure(
            parts.stream()
                .map(RunDocument::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null))
        .workers(parts.stream().mapToInt(RunDocument::workers).sum())
        .ratePerSecond(
            parts.stream().anyMatch(part -> part.ratePerSecond() == null)
                ? null
                : (Double) parts.stream().mapToDouble(RunDocument::ratePerSecond).sum())
        .workload(workload(first, byPath.keySet()))
        .objects(objects(parts))
        .statements(
            all(
                parts,
                RunDocument::statements,
                (a, b) ->
                    new RunDocument.StatementCounts(
                        a.added() + b.added(), a.failed() + b.failed())))
        .triples(
            all(
                parts,
                RunDocument::triples,
                (a, b) ->
                    new RunDocument.TripleCounts(
                        combined(a.before(), b.before(), Math::min),
                        combined(a.expected(), b.expected(), Long::sum),
                        null)))
        .requests(requests(parts))
        .verification(null)
        .phases(phases(ofOneClock))
        .outages(
            PartOutages.joined(ofOneClock.stream().map(part -> listOf(part.outages())).toList()))
        .load(load(parts))
        .ended(ended(parts, missing))
        .notes(notes)
        .build();
  }

  /** Of several parts only what ended one of them early is of the run. */
  private static RunDocument.Load load(List<RunDocument> parts) {
    if (parts.size() == 1) {
      return parts.get(0).load();
    }
    return parts.stream()
        .map(RunDocument::load)
        .filter(load -> load != null && load.endedBy() != null)
        .findFirst()
        .map(load -> new RunDocument.Load(load.endedBy(), null, List.of(), List.of(), List.of()))
        .orElse(null);
  }

  /** Says which parts are not there; returns how many, at least 1 where they do not agree. */
  private static int noteMissing(Map<String, RunDocument> byPath, List<String> notes) {
    Optional<String> disagreement = disagreement(byPath);
    disagreement.ifPresent(text -> notes.add("Its drivers do not agree: " + text + "."));
    missing(byPath.keySet())
        .ifPresent(text -> notes.add("Nothing has come from these parts: " + text + "."));
    return Math.max(missingPlaces(byPath.keySet()).size(), disagreement.isPresent() ? 1 : 0);
  }

  /** Whoever reads the report of the part that ended first wants to know of the others. */
  private static void noteAtWork(Map<String, RunDocument> byPath, List<String> notes) {
    List<String> atWork =
        byPath.entrySet().stream()
            .filter(part -> RunState.RUNNING.is(stateOf(part.getValue())))
            .map(part -> Place.of(part.getKey()).toString())
            .toList();
    if (!atWork.isEmpty()) {
      notes.add(
          "These parts have not ended yet, or were killed: " + String.join(", ", atWork) + ".");
    }
  }

  private static String stateOf(RunDocument part) {
    return Objects.requireNonNullElse(part.state(), RunState.RUNNING.id());
  }

  /** A part's number, of how many. */
  private record Place(int number, int count) {
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
   *
   * @param paths of documents of parts
   */
  public static Optional<String> missing(Collection<String> paths) {
    List<Place> missing = missingPlaces(paths);
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    int named = Math.min(FAILURES_KEPT, missing.size());
    String names =
        missing.subList(0, named).stream().map(Place::toString).collect(Collectors.joining(", "));
    int untold = missing.size() - named;
    return Optional.of(names + (untold > 0 ? " and " + untold + " more" : ""));
  }

  private static List<Place> missingPlaces(Collection<String> paths) {
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
      return objects
          + " objects in "
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

  /** What differs between the parts is not asked of the run. */
  private static Map<String, String> workload(RunDocument first, Set<String> paths) {
    Map<String, String> workload = new LinkedHashMap<>();
    if (first.workload() != null) {
      workload.putAll(first.workload());
    }
    workload.remove("shard");
    int count = 0;
    for (String path : paths) {
      Matcher named = FILE.matcher(path);
      count = named.matches() ? Math.max(count, Integer.parseInt(named.group(2))) : count;
    }
    workload.put("shards", Integer.toString(count));
    return workload;
  }

  private static String state(List<RunDocument> parts, int missing) {
    String worst =
        parts.stream()
            .map(RunParts::stateOf)
            .max(Comparator.comparingInt(STATES::indexOf))
            .orElseThrow();
    return missing > 0 && RunState.DONE.is(worst) ? RunState.DONE_WITH_ERRORS.id() : worst;
  }

  private static RunDocument.ObjectCounts objects(List<RunDocument> parts) {
    RunDocument.ObjectCounts sum =
        all(
            parts,
            RunDocument::objects,
            (a, b) ->
                new RunDocument.ObjectCounts(
                    a.requested() + b.requested(),
                    a.ingested() + b.ingested(),
                    a.failed() + b.failed(),
                    null,
                    a.verified() + b.verified(),
                    a.bytes() + b.bytes(),
                    a.purged() + b.purged()));
    return sum == null ? new RunDocument.ObjectCounts(0, 0, 0, null, 0, 0) : sum;
  }

  private static RunDocument.RequestCounts requests(List<RunDocument> parts) {
    return all(
        parts,
        RunDocument::requests,
        (a, b) -> {
          List<RunDocument.FailedRequest> failures = new ArrayList<>(listOf(a.failures()));
          failures.addAll(listOf(b.failures()));
          return new RunDocument.RequestCounts(
              a.sent() + b.sent(),
              a.retried() + b.retried(),
              a.failed() + b.failed(),
              failures.subList(0, Math.min(failures.size(), FAILURES_KEPT)));
        });
  }

  /** A step of the run is from where the first part begins with it to where the last one ends. */
  private static List<RunDocument.Phase> phases(List<RunDocument> parts) {
    Map<String, RunDocument.Phase> joined = new LinkedHashMap<>();
    for (RunDocument part : parts) {
      for (RunDocument.Phase phase : listOf(part.phases())) {
        joined.merge(
            phase.name(),
            phase,
            (a, b) ->
                new RunDocument.Phase(
                    a.name(),
                    Math.min(a.startNanos(), b.startNanos()),
                    Math.max(a.endNanos(), b.endNanos())));
      }
    }
    return List.copyOf(joined.values());
  }

  /** Null while one is at work, or not even known. */
  private static String ended(List<RunDocument> parts, int missing) {
    if (missing > 0 || parts.stream().anyMatch(part -> instant(part.ended()) == null)) {
      return null;
    }
    return parts.stream()
        .max(Comparator.comparing(part -> instant(part.ended())))
        .orElseThrow()
        .ended();
  }

  private static Instant instant(String timeOfDay) {
    try {
      return timeOfDay == null ? null : Instant.parse(timeOfDay);
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static <T> T all(
      Collection<RunDocument> parts, Function<RunDocument, T> counts, BinaryOperator<T> sum) {
    return parts.stream().map(counts).filter(Objects::nonNull).reduce(sum).orElse(null);
  }

  private static Long combined(Long a, Long b, BinaryOperator<Long> how) {
    return a == null ? b : b == null ? a : how.apply(a, b);
  }

  /** Any source may ship a document of that name. */
  private static <T> List<T> listOf(List<T> values) {
    return values == null ? List.of() : values.stream().filter(Objects::nonNull).toList();
  }
}
