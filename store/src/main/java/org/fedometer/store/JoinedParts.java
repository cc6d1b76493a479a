package org.fedometer.store;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;

/** Joins the documents of a run's parts to the run's document. Stateless. */
final class JoinedParts {
  private static final int MAX_FAILURES = 20;

  /** From best to worst; a run has its worst part's state, unless one is still running. */
  private static final List<String> STATES =
      Stream.of(
              RunState.DONE,
              RunState.DONE_WITH_ERRORS,
              RunState.INTERRUPTED,
              RunState.FAILED,
              RunState.RUNNING)
          .map(RunState::id)
          .toList();

  private JoinedParts() {}

  /**
   * @param byPath documents of parts of one run by path; at least one
   */
  static RunDocument of(Map<String, RunDocument> byPath) {
    List<RunDocument> parts = new ArrayList<>(byPath.values());
    parts.sort(
        Comparator.comparing(
            part -> instant(part.started()), Comparator.nullsLast(Comparator.naturalOrder())));
    RunDocument first = parts.get(0);
    boolean oneClock = parts.stream().map(RunDocument::bootId).distinct().count() == 1;
    List<RunDocument> ofOneClock = oneClock ? parts : List.of(first);
    List<String> notes = new ArrayList<>();
    int missing = noteMissing(byPath, notes);
    noteRunning(byPath, notes);
    noteOutages(byPath, notes);
    if (!oneClock) {
      notes.add(
          "Its drivers ran on several hosts; times of steps and outages are those of the first"
              + " driver.");
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

  /** With several parts, only the early end of one of them is the run's. */
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

  /** Notes the missing parts; returns their number, at least 1 if the parts disagree. */
  private static int noteMissing(Map<String, RunDocument> byPath, List<String> notes) {
    Optional<String> disagreement = RunParts.disagreement(byPath);
    disagreement.ifPresent(text -> notes.add("Its drivers contradict each other: " + text + "."));
    RunParts.missing(byPath.keySet())
        .ifPresent(text -> notes.add("These parts have sent nothing: " + text + "."));
    int missing = RunParts.missingParts(byPath.keySet()).size();
    return Math.max(missing, disagreement.isPresent() ? 1 : 0);
  }

  /** Notes running parts for the report of the part that ended first. */
  private static void noteRunning(Map<String, RunDocument> byPath, List<String> notes) {
    List<String> atWork =
        byPath.entrySet().stream()
            .filter(part -> RunState.RUNNING.is(stateOf(part.getValue())))
            .map(part -> RunParts.PartNumber.of(part.getKey()).toString())
            .toList();
    if (!atWork.isEmpty()) {
      notes.add(
          "These parts have not ended yet, or were killed: " + String.join(", ", atWork) + ".");
    }
  }

  /** While one driver was away the others continued, so the run had no outage; it was slower. */
  private static void noteOutages(Map<String, RunDocument> byPath, List<String> notes) {
    List<String> away = new ArrayList<>();
    byPath.forEach(
        (path, part) -> {
          long nanos =
              listOf(part.outages()).stream()
                  .filter(outage -> RunDocument.Outage.DRIVER.equals(outage.who()))
                  .mapToLong(outage -> outage.endNanos() - outage.startNanos())
                  .sum();
          if (nanos > 0) {
            away.add(
                String.format(
                    Locale.ROOT, "%s for %.1f s", RunParts.PartNumber.of(path), nanos / 1e9));
          }
        });
    if (!away.isEmpty()) {
      notes.add("The drivers of these parts had outages: " + String.join(", ", away) + ".");
    }
  }

  private static String stateOf(RunDocument part) {
    return Objects.requireNonNullElse(part.state(), RunState.RUNNING.id());
  }

  /** Keeps the first part's workload, with the number of parts instead of its own. */
  private static Map<String, String> workload(RunDocument first, Set<String> paths) {
    Map<String, String> workload = new LinkedHashMap<>();
    if (first.workload() != null) {
      workload.putAll(first.workload());
    }
    workload.remove("shard");
    int count = 0;
    for (String path : paths) {
      count = Math.max(count, RunParts.PartNumber.of(path).count());
    }
    workload.put("shards", Integer.toString(count));
    return workload;
  }

  private static String state(List<RunDocument> parts, int missing) {
    String worst =
        parts.stream()
            .map(JoinedParts::stateOf)
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
              failures.subList(0, Math.min(failures.size(), MAX_FAILURES)));
        });
  }

  /**
   * Joins each step from the first part's start to the last one's end. A check by one driver is no
   * step of the run, since others may have continued their load.
   */
  private static List<RunDocument.Phase> phases(List<RunDocument> parts) {
    Map<String, RunDocument.Phase> joined = new LinkedHashMap<>();
    for (RunDocument part : parts) {
      for (RunDocument.Phase phase : listOf(part.phases())) {
        if (parts.size() > 1 && RunDocument.Phase.CHECK.equals(phase.name())) {
          continue;
        }
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

  /** Returns null while a part is running or missing. */
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

  private static Long combined(Long a, Long b, BinaryOperator<Long> operator) {
    return a == null ? b : b == null ? a : operator.apply(a, b);
  }

  /** Drops nulls, since any source may send a document of that name. */
  private static <T> List<T> listOf(List<T> values) {
    return values == null ? List.of() : values.stream().filter(Objects::nonNull).toList();
  }
}
