package org.fedometer.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.fedometer.store.RunDocument.Phase;

/**
 * A run in one line, from its {@code run.json}. Unknown values are null.
 *
 * @param name also its folder's
 * @param id ULID
 * @param state of {@link #stateOf}
 * @param objectsRequested number requested by the user
 * @param objects number ingested
 * @param started time of day, ISO-8601
 * @param durationMillis from start to end; null without an end
 * @param objectsPerSecond from the start of the ingest to the end of the drain, by {@link LoadTime}
 * @param sizeBytes of all files
 * @param logEventsAssumed log events with a missing or unreadable level or time; null except for
 *     {@code runs}
 */
public record RunSummary(
    String name,
    String id,
    String state,
    String profile,
    String dataset,
    Long objectsRequested,
    Long objects,
    String started,
    Long durationMillis,
    Double objectsPerSecond,
    long sizeBytes,
    String experiment,
    Long logEventsAssumed) {

  /** State of a run without a readable {@code run.json}. */
  public static final String UNKNOWN = "unknown";

  /** State of a monitoring run that all agents have left orderly. */
  public static final String ENDED = "ended";

  /**
   * Reads the run's file sizes; a run that disappears meanwhile counts as empty.
   *
   * @param document null if there is no readable one
   */
  static RunSummary of(RunFolder run, RunDocument document) {
    long sizeBytes = sizeOf(run.path());
    if (document == null) {
      return new RunSummary(
          run.name(),
          null,
          UNKNOWN,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          sizeBytes,
          null,
          null);
    }
    RunDocument.ObjectCounts objects = document.objects();
    Long ingested = objects == null ? null : (Long) objects.ingested();
    return new RunSummary(
        run.name(),
        document.id(),
        stateOf(document),
        document.profile() == null ? null : document.profile().name(),
        document.dataset() == null ? null : document.dataset().name(),
        objects == null ? null : (Long) objects.requested(),
        ingested,
        document.started(),
        durationMillis(document),
        objectsPerSecond(document),
        sizeBytes,
        document.experiment() == null ? null : document.experiment().name(),
        null);
  }

  /**
   * Returns {@link RunDocument#state}, {@link #ENDED} or {@link #UNKNOWN}.
   *
   * @param document null if there is no readable one
   */
  public static String stateOf(RunDocument document) {
    if (document == null || document.state() == null) {
      return UNKNOWN;
    }
    return RunState.MONITORING.is(document.state()) && document.ended() != null
        ? ENDED
        : document.state();
  }

  public RunSummary withState(String value) {
    return new RunSummary(
        name,
        id,
        value,
        profile,
        dataset,
        objectsRequested,
        objects,
        started,
        durationMillis,
        objectsPerSecond,
        sizeBytes,
        experiment,
        logEventsAssumed);
  }

  public RunSummary withLogEventsAssumed(long count) {
    return new RunSummary(
        name,
        id,
        state,
        profile,
        dataset,
        objectsRequested,
        objects,
        started,
        durationMillis,
        objectsPerSecond,
        sizeBytes,
        experiment,
        count);
  }

  /** Returns the component of that name; null if unknown so far. */
  public static Double objectsPerSecond(RunDocument document) {
    return document.objects() == null ? null : rate(document.objects().ingested(), document);
  }

  /** Returns the time from start to end; null without an end. */
  public static Long durationMillis(RunDocument document) {
    if (document.started() == null || document.ended() == null) {
      return null;
    }
    try {
      return Duration.between(Instant.parse(document.started()), Instant.parse(document.ended()))
          .toMillis();
    } catch (DateTimeParseException | ArithmeticException e) {
      return null;
    }
  }

  private static Double rate(long objects, RunDocument document) {
    List<Phase> phases = document.phases();
    long begin = 0;
    long end = 0;
    for (Phase phase : phases == null ? List.<Phase>of() : phases) {
      if (phase == null || phase.endNanos() - phase.startNanos() <= 0) {
        continue;
      }
      if (Phase.INGEST.equals(phase.name())) {
        begin = phase.startNanos();
        end = phase.endNanos();
      } else if (Phase.DRAIN.equals(phase.name()) && end != begin) {
        end = phase.endNanos();
      }
    }
    long nanos = LoadTime.between(begin, end, document);
    return objects == 0 || nanos <= 0 ? null : (Double) (objects * 1e9 / nanos);
  }

  private static long sizeOf(Path folder) {
    long[] bytes = {0};
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              bytes[0] += attributes.isRegularFile() ? attributes.size() : 0;
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException gone) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      // Unreachable: the visitor ignores every failure.
    }
    return bytes[0];
  }
}
