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
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
      List.of("done", "done-with-errors", "interrupted", "failed", "running");

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
    Map<String, RunDocument> own = new LinkedHashMap<>();
    byPath.forEach(
        (path, part) -> {
          if (isPart(path) && part.id() != null && part.id().equals(run.id())) {
            own.put(path, part);
          }
        });
    return own.isEmpty() ? run : join(own);
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
    int missing = noteMissing(byPath.keySet(), notes);
    if (!oneClock) {
      notes.add(
          "Its drivers ran on several hosts: times of steps and outages are those of the one that"
              + " began first.");
    }
    parts.stream().flatMap(part -> listOf(part.notes()).stream()).distinct().forEach(notes::add);
    return new RunDocument(
        first.schema(),
        first.id(),
        first.name(),
        state(parts, missing),
        parts.stream().map(RunDocument::failure).filter(Objects::nonNull).findFirst().orElse(null),
        first.profile(),
        first.dataset(),
        parts.stream().mapToInt(RunDocument::workers).sum(),
        parts.stream().anyMatch(part -> part.ratePerSecond() == null)
            ? null
            : (Double) parts.stream().mapToDouble(RunDocument::ratePerSecond).sum(),
        workload(first, byPath.keySet()),
        objects(parts),
        all(
            parts,
            RunDocument::statements,
            (a, b) ->
                new RunDocument.StatementCounts(a.added() + b.added(), a.failed() + b.failed())),
        all(
            parts,
            RunDocument::triples,
            (a, b) ->
                new RunDocument.TripleCounts(
                    combined(a.before(), b.before(), Math::min),
                    combined(a.expected(), b.expected(), Long::sum),
                    null)),
        requests(parts),
        null,
        phases(ofOneClock),
        PartOutages.joined(ofOneClock.stream().map(part -> listOf(part.outages())).toList()),
        load(parts),
        first.versions(),
        first.environment(),
        first.configurationFiles(),
        first.logFiles(),
        first.bootId(),
        first.started(),
        ended(parts, missing),
        notes);
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

  /** Says which parts are not there; returns how many. */
  private static int noteMissing(Set<String> paths, List<String> notes) {
    Set<Integer> numbers = new LinkedHashSet<>();
    Set<Integer> counts = new LinkedHashSet<>();
    for (String path : paths) {
      Matcher named = FILE.matcher(path);
      if (named.matches()) {
        numbers.add(Integer.parseInt(named.group(1)));
        counts.add(Integer.parseInt(named.group(2)));
      }
    }
    if (counts.size() > 1) {
      notes.add("Its drivers do not agree on how many parts there are: " + counts + ".");
      return 1;
    }
    int count = counts.iterator().next();
    if (numbers.size() < count) {
      List<String> missing = new ArrayList<>();
      for (int number = 1; number <= count && missing.size() < FAILURES_KEPT; number++) {
        if (!numbers.contains(number)) {
          missing.add(number + "/" + count);
        }
      }
      int untold = count - numbers.size() - missing.size();
      notes.add(
          "Nothing has come from these parts: "
              + String.join(", ", missing)
              + (untold > 0 ? " and " + untold + " more" : "")
              + ".");
    }
    return count - numbers.size();
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
            .map(part -> Objects.requireNonNullElse(part.state(), "running"))
            .max(Comparator.comparingInt(STATES::indexOf))
            .orElseThrow();
    return missing > 0 && worst.equals("done") ? "done-with-errors" : worst;
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
