package org.fedometer.collector.influx;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.fedometer.store.RunView;
import org.fedometer.store.query.QueryException;

/**
 * Writes all points of a stored run to InfluxDB. Existing points keep their values. For one thread;
 * blocks.
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
   * @param points all points of the run
   * @param refused points in batches that InfluxDB did not accept completely
   * @param reason of the first such batch; empty if there is none
   */
  public record Result(long points, long refused, String reason) {}

  public InfluxExport(InfluxTarget target) {
    this.target = target;
  }

  /**
   * @throws IOException if InfluxDB is unreachable or rejects this client; the message is one
   *     sentence
   * @throws QueryException if the run cannot be read
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

    /** Writes the batch with retries, since InfluxDB may still be starting. */
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
                new IOException(target + ": InfluxDB accepts no points: " + e.getMessage(), e));
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
