package org.fedometer.collector.influx;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.influxdb.InfluxDB;
import org.influxdb.InfluxDBException;
import org.influxdb.InfluxDBFactory;
import org.influxdb.dto.Point;

/** Writes to InfluxDB 1.x with influxdb-java. */
final class DatabaseWriter implements InfluxWriter {
  /** Message of, for example, a server at its limit of series. */
  private static final String PARTIAL = "partial write";

  private final InfluxTarget target;
  private final InfluxTarget.Database database;
  private InfluxDB client;

  DatabaseWriter(InfluxTarget target, InfluxTarget.Database database) {
    this.target = target;
    this.database = database;
  }

  @Override
  public String lineOf(InfluxPoint point) {
    Point.Builder builder =
        Point.measurement(point.measurement()).time(point.epochNanos(), TimeUnit.NANOSECONDS);
    point.tags().forEach(builder::tag);
    point
        .fields()
        .forEach(
            (name, value) -> {
              if (value instanceof Long integer) {
                builder.addField(name, (long) integer);
              } else if (value instanceof Double decimal) {
                builder.addField(name, (double) decimal);
              } else {
                builder.addField(name, (String) value);
              }
            });
    return builder.build().lineProtocol();
  }

  @Override
  public void write(List<String> lines) throws IOException, RefusedException {
    try {
      client()
          .write(
              database.name(),
              database.retentionPolicy(),
              InfluxDB.ConsistencyLevel.ONE,
              TimeUnit.NANOSECONDS,
              lines);
    } catch (InfluxDBException.FieldTypeConflictException
        | InfluxDBException.PointsBeyondRetentionPolicyException
        | InfluxDBException.UnableToParseException e) {
      throw new RefusedException(InfluxWriter.describe(e), e);
    } catch (InfluxDBException e) {
      String reason = InfluxWriter.describe(e);
      if (reason.startsWith(PARTIAL) || InfluxResponseCheck.isTooLarge(e)) {
        throw new RefusedException(reason, e);
      }
      throw new IOException(reason, e);
    }
  }

  /** Creates the client with the first points: an unknown host name may be resolvable later. */
  private InfluxDB client() throws IOException {
    if (client == null) {
      client =
          database.user().isEmpty()
              ? InfluxDBFactory.connect(target.url(), InfluxWriter.http(target))
              : InfluxDBFactory.connect(
                  target.url(), database.user(), database.password(), InfluxWriter.http(target));
      client.enableGzip();
    }
    return client;
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
