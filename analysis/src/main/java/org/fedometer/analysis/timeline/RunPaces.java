package org.fedometer.analysis.timeline;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/**
 * Requests of several runs over common axes, for charts of a comparison; a subset of {@link
 * RunTimeline}. Runs are read one by one, twice each. Immutable, safe on any thread.
 *
 * @param bucketSeconds length of all runs' buckets by time; 0 if no run has an ingest
 * @param bucketObjects objects in all runs' buckets by objects; 0 if no run has an ingest
 * @param runs in the given order
 */
public record RunPaces(long bucketSeconds, long bucketObjects, List<Pace> runs) {

  /** Overlapping lines are distinguishable only if they are smooth. */
  private static final int MAX_BUCKETS = 120;

  /** Limit for all runs together; more runs have less detail, to limit the page's size. */
  private static final int MAX_TOTAL_BUCKETS = 20_000;

  private static final int MIN_BUCKETS = 40;

  public RunPaces {
    runs = List.copyOf(runs);
  }

  /**
   * A run; a column ends where the run does.
   *
   * @param time null without ingested objects
   * @param objects null without ingested objects; buckets of a very long run start slightly after
   *     multiples of their length, and some may be missing
   */
  public record Pace(RunTimeline.ByTime time, RunTimeline.ByObjects objects) {}

  public record Source(RunView view, RunDocument document) {}

  private record Known(TimelineClock clock, RequestExtent extent) {}

  /**
   * @throws IOException if a run's files cannot be listed; the message is one sentence
   * @throws QueryException if a sealed table is unreadable
   */
  public static RunPaces of(List<Source> sources) throws IOException, QueryException {
    List<Known> known = new ArrayList<>();
    long maxNanos = 0;
    long maxObjects = 0;
    for (Source source : sources) {
      Known one = known(source);
      known.add(one);
      if (one != null) {
        maxNanos = Math.max(maxNanos, one.extent().lastNanos());
        maxObjects = Math.max(maxObjects, one.extent().ingested());
      }
    }
    if (maxObjects == 0) {
      return new RunPaces(0, 0, sources.stream().map(source -> new Pace(null, null)).toList());
    }
    int max = Math.max(MIN_BUCKETS, Math.min(MAX_BUCKETS, MAX_TOTAL_BUCKETS / sources.size()));
    long seconds = BucketLength.of(maxNanos / 1e9, max);
    long objects = RequestTimeline.bucketObjects(maxObjects, max);
    List<Pace> runs = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      runs.add(pace(sources.get(i), known.get(i), seconds, objects));
    }
    return new RunPaces(seconds, objects, runs);
  }

  private static Pace pace(Source source, Known knownOrNull, long seconds, long objects)
      throws IOException, QueryException {
    if (knownOrNull == null) {
      return new Pace(null, null);
    }
    try (Query query = source.view().query()) {
      RequestTimeline timeline =
          new RequestTimeline(
              query,
              knownOrNull.clock(),
              knownOrNull.extent(),
              RequestTimeline.MAX_ORDERED_REQUESTS,
              seconds,
              objects);
      return new Pace(timeline.byTime(), timeline.byObjects());
    }
  }

  /** Returns null without ingested objects. */
  private static Known known(Source source) throws IOException, QueryException {
    RunDocument run = source.document();
    try (Query query = source.view().query()) {
      TimelineClock unset = TimelineClock.of(query, run.bootId(), run.imported() != null);
      RequestExtent extent = RequestExtent.of(query, unset);
      if (extent.ingested() == 0) {
        return null;
      }
      long origin = extent.originNanos(IngestWindow.of(run.phases()));
      return new Known(unset.from(origin), extent.from(origin));
    }
  }
}
