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
 * A run's timeline, reduced to some hundred buckets for charts, for any length of the run.
 * Immutable, safe on any thread.
 *
 * <p>Times called {@code t} are seconds since the origin: the start of the ingest phase; without
 * one, the first ingest; for a monitoring run, the first record. Objects are successful ingests in
 * order of completion. Latencies are service times in milliseconds by default. Unknown values are
 * null, within a column NaN.
 *
 * @param state as in {@code run.json}
 * @param originEpochMillis time of day of the origin, null if unknown
 * @param seconds from the origin to the end of the drain, or else to the last record; null without
 *     records
 * @param heat number of ingests by duration and time
 * @param stages busy stages by time
 * @param icicle composition of an ingest
 * @param telemetry readings in display order; possibly empty
 * @param markers events by time; possibly empty
 * @param growth time per object against the repository's size
 * @param slowest the slowest ingests, slowest first; possibly empty
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
   * @throws IOException if the run's files cannot be listed; the message is one sentence
   * @throws QueryException if a sealed table is unreadable
   */
  public static RunTimeline of(RunView run, RunReport report) throws IOException, QueryException {
    try (Query query = run.query()) {
      return of(query, report);
    }
  }

  /**
   * @param query on the run's tables; used by this thread until the call returns
   */
  public static RunTimeline of(Query query, RunReport report) throws QueryException {
    return new TimelineBuilder(query, report).build();
  }

  /**
   * Ingests by completion time.
   *
   * @param t start of each bucket
   * @param objects ingested up to the bucket's end
   * @param rate objects per second
   * @param rateLow minimum of objects in a second of the bucket; null if a bucket has few
   * @param rateHigh maximum of objects in a second of the bucket; null if a bucket has few
   * @param latency of the objects completed in it
   * @param failed requests of any operation that failed in it
   * @param response from the intended start of requests; null if none was late
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

  /** Milliseconds; percentiles by nearest rank with an error below 1 %, others exact. */
  public record Latencies(
      Column min, Column mean, Column p50, Column p95, Column p99, Column max) {}

  /**
   * Ingests by number.
   *
   * @param bucketObjects objects in a bucket; the last may have fewer
   * @param n the first object of each
   * @param t completion of its last object
   * @param rate objects per second since the preceding completion
   */
  public record ByObjects(long bucketObjects, Column n, Column t, Column rate, Latencies latency) {}

  /**
   * @param bucketSeconds width of a column
   * @param t start of each column
   * @param edgesMillis edges of the rows, one more than rows, with a constant ratio
   * @param cells the non-empty cells
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

  /** The number of ingests in a column and row, both from 0. */
  public record Cell(int column, int row, long count) {}

  /**
   * @param t start of each bucket
   * @param list largest first, those outside requests after the others; includes the rest as one of
   *     them
   */
  public record Stages(long bucketSeconds, Column t, List<Stage> list) {
    public Stages {
      list = List.copyOf(list);
    }
  }

  /**
   * @param outside whether it mostly ran outside requests
   * @param self seconds of self time per second of each bucket
   */
  public record Stage(String name, boolean outside, Column self) {}

  /**
   * @param traces number of evaluated ingests
   * @param of number of recorded ingests
   */
  public record Icicle(int traces, long of, Part root) {}

  /**
   * A stage at its position in an ingest, as means over all evaluated ingests.
   *
   * @param millis between its starts and ends
   * @param self without nested stages
   * @param children nested stages, the largest first
   */
  public record Part(String name, double millis, double self, double calls, List<Part> children) {
    public Part {
      children = List.copyOf(children);
    }
  }

  /**
   * @param count of pauses in the displayed time
   * @param seconds their sum
   * @param share stopped part of each bucket, 0 to 1
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
   * @param t start of each bucket with a reading
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
   * An event.
   *
   * @param kind one of {@code warm-up}, {@code change}, {@code outage}, {@code pause}, {@code
   *     load}, {@code step}, {@code phase}, {@code mark}, {@code failure}
   * @param end null for a moment
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
   * @param slopeMicrosPerThousand increase in microseconds per thousand objects
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
   * @param t start of the request
   * @param late milliseconds after the intended start
   * @param rows its components, the outermost first
   * @param more number of omitted rows
   * @param clock how Fedora's times were mapped to the driver's
   * @param uncertaintyMillis of that, null if unknown
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

  /** Type of a waterfall's row. */
  public enum RowKind {
    /** The request as measured by its driver. */
    CLIENT,
    /** A stage on the request's thread. */
    STAGE,
    /** A stage of the same trace on another thread. */
    THREAD,
    /** Work that Fedora deferred. */
    LATER
  }

  /**
   * A row of a waterfall; times are milliseconds since the request's start.
   *
   * @param calls 1, or the number combined in this row
   * @param self without nested rows; null if unknown
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
   * @param of total number
   * @param list by time; if there are many, an even selection
   */
  public record Errors(long of, List<Failed> list) {
    public Errors {
      list = List.copyOf(list);
    }
  }

  /** A failed request; {@code t} is the time of its response, or of giving up. */
  public record Failed(
      double t, String pid, String operation, int attempt, int status, String message) {}
}
