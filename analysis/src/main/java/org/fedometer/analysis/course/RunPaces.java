package org.fedometer.analysis.course;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/**
 * The requests of several runs over axes that they have in common, so that they can be drawn one
 * upon the other: of what {@link RunCourse} knows only what a comparison shows. One run is read
 * after the other, twice. Immutable, safe on any thread.
 *
 * @param bucketSeconds length of a bucket by time, of all runs; 0 where no run has an ingest
 * @param bucketObjects objects in a bucket by objects, of all runs; 0 where no run has an ingest
 * @param runs as they were given
 */
public record RunPaces(long bucketSeconds, long bucketObjects, List<Pace> runs) {

  /** Lines that lie upon each other are told apart only if they are smooth. */
  private static final int MOST_BUCKETS = 120;

  /** All runs together; of more runs less detail is drawn before a page becomes too large. */
  private static final int MOST_BUCKETS_IN_ALL = 20_000;

  private static final int FEWEST_BUCKETS = 40;

  public RunPaces {
    runs = List.copyOf(runs);
  }

  /**
   * One run; a column ends where the run does.
   *
   * @param time null where no object was ingested
   * @param objects null where no object was ingested; of a very long run buckets begin a little
   *     after the multiples of their length, and some may be missing
   */
  public record Pace(RunCourse.ByTime time, RunCourse.ByObjects objects) {}

  public record Source(RunView view, RunDocument document) {}

  private record Known(CourseClock clock, RequestExtent extent) {}

  /**
   * @throws IOException one sentence: a run's files cannot be listed
   * @throws QueryException a sealed table cannot be read
   */
  public static RunPaces of(List<Source> sources) throws IOException, QueryException {
    List<Known> known = new ArrayList<>();
    long longestNanos = 0;
    long mostObjects = 0;
    for (Source source : sources) {
      Known one = known(source);
      known.add(one);
      if (one != null) {
        longestNanos = Math.max(longestNanos, one.extent().lastNanos());
        mostObjects = Math.max(mostObjects, one.extent().ingested());
      }
    }
    if (mostObjects == 0) {
      return new RunPaces(0, 0, sources.stream().map(source -> new Pace(null, null)).toList());
    }
    int most =
        Math.max(FEWEST_BUCKETS, Math.min(MOST_BUCKETS, MOST_BUCKETS_IN_ALL / sources.size()));
    long seconds = BucketLength.of(longestNanos / 1e9, most);
    long objects = RequestCourse.bucketObjects(mostObjects, most);
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
      RequestCourse course =
          new RequestCourse(
              query,
              knownOrNull.clock(),
              knownOrNull.extent(),
              RequestCourse.MOST_IN_ORDER,
              seconds,
              objects);
      return new Pace(course.byTime(), course.byObjects());
    }
  }

  /** Null where no object was ingested. */
  private static Known known(Source source) throws IOException, QueryException {
    RunDocument run = source.document();
    try (Query query = source.view().query()) {
      CourseClock unset = CourseClock.of(query, run.bootId(), run.imported() != null);
      RequestExtent extent = RequestExtent.of(query, unset);
      if (extent.ingested() == 0) {
        return null;
      }
      long origin = extent.originNanos(IngestWindow.of(run.phases()));
      return new Known(unset.from(origin), extent.from(origin));
    }
  }
}
