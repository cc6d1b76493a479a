package org.fedometer.experiments.collect;

import java.io.IOException;
import org.fedometer.experiments.imported.MeasurementSink;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.RequestEncoder;

/**
 * Sends imported requests to the collector, some thousand per frame; waits for capacity, never
 * drops. Confined to the job's thread.
 */
public final class RequestShipment implements MeasurementSink {
  /**
   * The collector syncs its file for all frames since the last time, so that large frames are fine.
   */
  private static final int FRAME_BYTES = 256 * 1024;

  private static final long SEND_TIMEOUT_MILLIS = 60_000;

  private final CollectorClient client;
  private final RequestEncoder encoder = new RequestEncoder();

  /**
   * @param client client of the requests' run; not closed here
   */
  public RequestShipment(CollectorClient client) {
    this.client = client;
  }

  @Override
  public void measured(
      long number,
      String operation,
      int worker,
      long startNanos,
      long durationNanos,
      int status,
      String message)
      throws IOException {
    encoder.add(
        number,
        "",
        "",
        worker,
        1,
        startNanos,
        durationNanos,
        status,
        0,
        message,
        operation,
        startNanos);
    if (encoder.sizeBytes() >= FRAME_BYTES || encoder.isFull()) {
      ship();
    }
  }

  public void finish() throws IOException {
    if (encoder.count() > 0) {
      ship();
    }
  }

  private void ship() throws IOException {
    client.send(FrameType.REQUESTS, encoder.finish(), SEND_TIMEOUT_MILLIS);
  }
}
