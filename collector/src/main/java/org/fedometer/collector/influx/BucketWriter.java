package org.fedometer.collector.influx;

import com.influxdb.client.InfluxDBClient;
import com.influxdb.client.InfluxDBClientFactory;
import com.influxdb.client.InfluxDBClientOptions;
import com.influxdb.client.domain.WritePrecision;
import com.influxdb.client.write.Point;
import com.influxdb.exceptions.BadRequestException;
import com.influxdb.exceptions.InfluxException;
import com.influxdb.exceptions.UnprocessableEntityException;
import java.io.IOException;
import java.util.List;

/** Writes to InfluxDB 2.x with influxdb-client-java. */
final class BucketWriter implements InfluxWriter {
  private final InfluxTarget target;
  private final InfluxTarget.Bucket bucket;
  private InfluxDBClient client;

  BucketWriter(InfluxTarget target, InfluxTarget.Bucket bucket) {
    this.target = target;
    this.bucket = bucket;
  }

  @Override
  public String lineOf(InfluxPoint point) {
    return Point.measurement(point.measurement())
        .addTags(point.tags())
        .addFields(point.fields())
        .time((Long) point.epochNanos(), WritePrecision.NS)
        .toLineProtocol();
  }

  @Override
  public void write(List<String> lines) throws IOException, RefusedException {
    try {
      client().getWriteApiBlocking().writeRecords(WritePrecision.NS, lines);
    } catch (BadRequestException | UnprocessableEntityException e) {
      throw new RefusedException(InfluxWriter.describe(e), e);
    } catch (InfluxException e) {
      if (InfluxResponseCheck.isTooLarge(e)) {
        throw new RefusedException(InfluxWriter.describe(e), e);
      }
      throw new IOException(InfluxWriter.describe(e), e);
    }
  }

  private InfluxDBClient client() throws IOException {
    if (client == null) {
      InfluxDBClientOptions.Builder options =
          InfluxDBClientOptions.builder()
              .url(target.url())
              .org(bucket.organization())
              .bucket(bucket.name())
              .okHttpClient(InfluxWriter.http(target));
      if (!bucket.token().isEmpty()) {
        options.authenticateToken(bucket.token().toCharArray());
      }
      client = InfluxDBClientFactory.create(options.build()).enableGzip();
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
