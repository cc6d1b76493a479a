package org.fedometer.collector.influx;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.fedometer.store.RunView;
import org.fedometer.store.query.QueryException;

/**
 * Writes all points of a run to an InfluxDB, from its store. Points that are there already get the
 * values that they have. For one thread, which waits.
 *
 * <pre>{@code
 * InfluxExport.Result result = new InfluxExport(target).write(store.run("night"));
 * }</pre>
 */
public final class InfluxExport {
  private static final int ATTEMPTS = 4;
  private static final long FIRST_PAUSE_MILLIS = 500;

  private final InfluxTarget target;

  /**
   * @param points all that the run has
   * @param refused those in batches of which InfluxDB did not take all
   * @param reason why it did not, of the first of these batches; empty if it took all
   */
  public record Result(long points, long refused, String reason) {}

  public InfluxExport(InfluxTarget target) {
    this.target = target;
  }

  /**
   * @throws IOException one sentence: InfluxDB cannot be reached, or takes nothing from us
   * @throws QueryException the run cannot be read
   */
  public Result write(RunView run) throws IOException, QueryException {
    try (InfluxWriter writer = InfluxWriter.to(target)) {
      Writing writing = new Writing(writer, run.name());
      RunPoints.write(run, writing::add);
      writing.writeBatch();
      return new Result(writing.points, writing.refused, writing.reason);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private final class Writing {
    private final InfluxWriter writer;
    private final String run;
    private PointBatch batch = new PointBatch();
    private long points;
    private long refused;
    private String reason = "";

    Writing(InfluxWriter writer, String run) {
      this.writer = writer;
      this.run = run;
    }

    void add(InfluxPoint point) {
      batch.add(run, writer.lineOf(point));
      points++;
      if (batch.isFull()) {
        writeBatch();
      }
    }

    /** Tried some times, since whoever fills a hole may do so while InfluxDB is still starting. */
    void writeBatch() {
      for (int attempt = 1; !batch.isEmpty(); attempt++) {
        try {
          writer.write(batch.lines());
          batch = new PointBatch();
        } catch (InfluxWriter.RefusedException e) {
          refused += batch.points();
          reason = reason.isEmpty() ? e.getMessage() : reason;
          batch = new PointBatch();
        } catch (IOException e) {
          if (attempt == ATTEMPTS) {
            throw new UncheckedIOException(
                new IOException(target + ": takes no points: " + e.getMessage(), e));
          }
          pause(FIRST_PAUSE_MILLIS << attempt - 1);
        }
      }
    }

    private static void pause(long millis) {
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UncheckedIOException(new IOException("interrupted", e));
      }
    }
  }
}
