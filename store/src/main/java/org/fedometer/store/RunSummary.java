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
 * A run in one line, from its {@code run.json}. What is not known is null.
 *
 * @param name also its folder's
 * @param id ULID
 * @param state of {@link #stateOf}
 * @param objectsRequested how many the user asked for
 * @param objects how many were ingested
 * @param started time of day, ISO-8601
 * @param durationMillis from the start to the end; null while it has none
 * @param objectsPerSecond from the begin of the ingest to the end of the drain, by {@link LoadTime}
 * @param sizeBytes of all files
 * @param logEventsAssumed log events whose level or time was not told, or could not be read; only
 *     {@code runs} asks for it
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

  /** Of a run that has no {@code run.json}, or one that cannot be read. */
  public static final String UNKNOWN = "unknown";

  /** Of a monitoring run that all agents have left in order. */
  public static final String ENDED = "ended";

  /**
   * Looks at the run's files; a run that goes meanwhile is empty.
   *
   * @param document null where there is none that can be read
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
   * How a run stands: {@link RunDocument#state}, {@link #ENDED} or {@link #UNKNOWN}.
   *
   * @param document null where there is none that can be read
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

  /** As the component of that name; null where it is not known (yet). */
  public static Double objectsPerSecond(RunDocument document) {
    return document.objects() == null ? null : rate(document.objects().ingested(), document);
  }

  /** From the start to the end; null while it has none. */
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
      // Not reached: every failure is passed over above.
    }
    return bytes[0];
  }
}
