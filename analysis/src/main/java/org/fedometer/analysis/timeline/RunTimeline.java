package org.fedometer.analysis.timeline;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.trace.ObjectTrace.Placement;
import org.fedometer.store.RunView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/**
 * How a run went, reduced to what a picture can show: some hundred buckets, whatever the run's
 * length. Immutable, safe on any thread.
 *
 * <p>Times called {@code t} are seconds since the origin: the beginning of the ingest's phase, or
 * the first ingest where there is no such phase, or, of a run that nobody conducted, the first that
 * was recorded. Objects are successful ingests in order of completion. Latencies are service times
 * in milliseconds where nothing else is said. What cannot be told is null, within a column NaN.
 *
 * @param state as in {@code run.json}
 * @param originEpochMillis time of day of the origin, null where that is not known
 * @param seconds from the origin to the end of the drain, or else to what was recorded last; null
 *     of a run that recorded nothing
 * @param heat how many ingests took how long, and when
 * @param stages which stages were busy when
 * @param icicle what an ingest is made of
 * @param telemetry readings, in the order in which people look at them; empty where there are none
 * @param markers what happened, by time; empty where nothing did
 * @param growth the time per object against the repository's size
 * @param slowest ingests, the slowest first; empty where there are none
 */
public record RunTimeline(
    String name,
    String state,
    Long originEpochMillis,
    Double seconds,
    ByTime time,
    ByObjects objects,
    Heat heat,
    Stages stages,
    Icicle icicle,
    Gc gc,
    List<Readings> telemetry,
    List<Marker> markers,
    Growth growth,
    List<SlowIngest> slowest,
    Errors errors) {

  public RunTimeline {
    Objects.requireNonNull(name, "name");
    telemetry = List.copyOf(telemetry);
    markers = List.copyOf(markers);
    slowest = List.copyOf(slowest);
  }

  /**
   * @param report of the same run
   * @throws IOException one sentence: the run's files cannot be listed
   * @throws QueryException a sealed table cannot be read
   */
  public static RunTimeline of(RunView run, RunReport report) throws IOException, QueryException {
    try (Query query = run.query()) {
      return of(query, report);
    }
  }

  /**
   * @param query answers for the tables of the run; used by this thread until the call returns
   */
  public static RunTimeline of(Query query, RunReport report) throws QueryException {
    return new TimelineBuilder(query, report).build();
  }

  /**
   * Ingests by the time of their answers.
   *
   * @param t where each begins
   * @param objects ingested up to the bucket's end
   * @param rate objects a second
   * @param rateLow objects in the poorest second of the bucket; null where a bucket has few
   * @param rateHigh objects in the richest second of the bucket; null where a bucket has few
   * @param latency of the objects answered in it
   * @param failed requests of any operation that failed in it
   * @param response from when requests were due; null where none was late
   */
  public record ByTime(
      long bucketSeconds,
      Column t,
      Column objects,
      Column rate,
      Column rateLow,
      Column rateHigh,
      Latencies latency,
      Column failed,
      Latencies response) {}

  /** Milliseconds; percentiles by nearest rank, off by less than 1 %, all others exact. */
  public record Latencies(
      Column min, Column mean, Column p50, Column p95, Column p99, Column max) {}

  /**
   * Ingests by their number.
   *
   * @param bucketObjects objects in a bucket; the last may have fewer
   * @param n the first object of each
   * @param t when its last object was answered
   * @param rate objects a second since the last answer before it
   */
  public record ByObjects(long bucketObjects, Column n, Column t, Column rate, Latencies latency) {}

  /**
   * @param bucketSeconds width of a column
   * @param t where each column begins
   * @param edgesMillis of the rows, one more than there are, each by the same ratio above the last
   * @param cells those that are not empty
   */
  public record Heat(
      long bucketSeconds,
      @JsonSerialize(using = TimelineJson.Times.class) Column t,
      Column edgesMillis,
      List<Cell> cells) {
    public Heat {
      cells = List.copyOf(cells);
    }
  }

  /** So many ingests of one column and row, both from 0. */
  public record Cell(int column, int row, long count) {}

  /**
   * @param t where each begins
   * @param list largest first, those beside requests after the others; the rest is in one of them
   */
  public record Stages(long bucketSeconds, Column t, List<Stage> list) {
    public Stages {
      list = List.copyOf(list);
    }
  }

  /**
   * @param beside whether it mostly ran beside requests
   * @param self seconds of its self time in a second of each bucket
   */
  public record Stage(String name, boolean beside, Column self) {}

  /**
   * @param traces so many ingests were looked at
   * @param of so many are on record
   */
  public record Icicle(int traces, long of, Part root) {}

  /**
   * A stage at its place in an ingest, means over all ingests looked at.
   *
   * @param millis between its starts and ends
   * @param self without the stages inside it
   * @param children inside it, the largest first
   */
  public record Part(String name, double millis, double self, double calls, List<Part> children) {
    public Part {
      children = List.copyOf(children);
    }
  }

  /**
   * @param count of stops in the time shown
   * @param seconds their sum
   * @param share of each bucket in which all stood still, 0 to 1
   * @param max the longest that began in the bucket, milliseconds
   * @param longest the longest first
   */
  public record Gc(
      long count,
      double seconds,
      long bucketSeconds,
      @JsonSerialize(using = TimelineJson.Times.class) Column t,
      Column share,
      Column max,
      List<GcPause> longest) {
    public Gc {
      longest = List.copyOf(longest);
    }
  }

  public record GcPause(
      @JsonSerialize(using = TimelineJson.Times.class) double t,
      double millis,
      String collector,
      String action,
      String cause) {}

  /**
   * A gauge, or a counter as a rate.
   *
   * @param id name of the metric
   * @param t where each bucket begins that has a reading
   * @param mean over the bucket
   */
  public record Readings(
      String id,
      String title,
      String unit,
      @JsonSerialize(using = TimelineJson.Times.class) Column t,
      Column mean,
      Column low,
      Column high) {}

  /**
   * Something that happened.
   *
   * @param kind of the fixed words {@code warm-up}, {@code change}, {@code outage}, {@code pause},
   *     {@code load}, {@code step}, {@code phase}, {@code mark}, {@code failure}
   * @param end null where it is a moment
   * @param title a few words
   * @param detail a sentence
   */
  public record Marker(
      String kind,
      @JsonSerialize(using = TimelineJson.Times.class) double t,
      @JsonSerialize(using = TimelineJson.Times.class) Double end,
      String title,
      String detail) {}

  /**
   * The line through the times per object of the steady part against the repository's size.
   *
   * @param slopeMicrosPerThousand microseconds more for each thousand objects more
   * @param low of the slope's interval of 95 %
   * @param high of the slope's interval of 95 %
   */
  public record Growth(
      long fromObjects,
      long toObjects,
      double fromMillis,
      double toMillis,
      double slopeMicrosPerThousand,
      double low,
      double high,
      double pValue) {}

  /**
   * @param index number of the object in its dataset
   * @param t when it was sent
   * @param late milliseconds from when it was due
   * @param rows what it was made of, the outermost first
   * @param more rows that are left out
   * @param clock how Fedora's times were placed on the driver's
   * @param uncertaintyMillis of that, null where unknown
   */
  public record SlowIngest(
      String pid,
      long index,
      int attempt,
      @JsonSerialize(using = TimelineJson.Times.class) double t,
      double millis,
      int status,
      double late,
      List<Row> rows,
      int more,
      Placement clock,
      Double uncertaintyMillis) {
    public SlowIngest {
      rows = List.copyOf(rows);
    }
  }

  /** What a row of a waterfall is. */
  public enum RowKind {
    /** The request as its driver saw it. */
    CLIENT,
    /** A stage on the request's thread. */
    STAGE,
    /** A stage of the same trace on another thread. */
    THREAD,
    /** What Fedora put off. */
    LATER
  }

  /**
   * A row of a waterfall; times are milliseconds since the request was sent.
   *
   * @param calls 1, or how many are in this row
   * @param self without what is inside it; null where it is not known
   */
  public record Row(
      int depth,
      RowKind what,
      String name,
      long calls,
      @JsonSerialize(using = TimelineJson.Times.class) double start,
      @JsonSerialize(using = TimelineJson.Times.class) double end,
      double millis,
      Double self,
      long failed) {}

  /**
   * @param of how many there are
   * @param list by time; where there are many, some of them, spread over all
   */
  public record Errors(long of, List<Failed> list) {
    public Errors {
      list = List.copyOf(list);
    }
  }

  /** A failed request; {@code t} is when it was answered, or given up. */
  public record Failed(
      double t, String pid, String operation, int attempt, int status, String message) {}
}
