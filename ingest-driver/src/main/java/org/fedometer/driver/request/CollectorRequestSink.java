package org.fedometer.driver.request;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.RequestEncoder;

/**
 * Sends every attempt to the collector, some hundred per frame. Thread-safe. Workers wait while the
 * collector's queue is full: completeness has priority over speed.
 */
public final class CollectorRequestSink implements RequestSink {

  private static final int REQUESTS_PER_FRAME = 256;
  private static final long MAX_AGE_NANOS = 500_000_000;

  private final CollectorClient collector;
  private final long timeoutMillis;
  private final RequestEncoder encoder = new RequestEncoder();
  private final ReentrantLock lock = new ReentrantLock();
  private long firstNanos;

  /**
   * @param collector connected or connecting; the caller closes it
   * @param timeout how long the collector may be away or full before the run ends
   */
  public CollectorRequestSink(CollectorClient collector, Duration timeout) {
    this.collector = Objects.requireNonNull(collector, "collector");
    this.timeoutMillis = timeout.toMillis();
  }

  @Override
  public void record(RequestEvent event) throws IOException {
    lock.lock();
    try {
      add(event);
    } finally {
      lock.unlock();
    }
  }

  private void add(RequestEvent event) throws IOException {
    if (encoder.count() == 0) {
      firstNanos = System.nanoTime();
    }
    event.addTo(encoder);
    if (encoder.count() >= REQUESTS_PER_FRAME || encoder.isFull()) {
      ship();
    }
  }

  @Override
  public void flushIfDue() throws IOException {
    if (!lock.tryLock()) {
      return; // a worker is sending
    }
    try {
      if (encoder.count() > 0 && System.nanoTime() - firstNanos >= MAX_AGE_NANOS) {
        ship();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void finish() throws IOException {
    lock.lock();
    try {
      if (encoder.count() > 0) {
        ship();
      }
    } finally {
      lock.unlock();
    }
  }

  private void ship() throws IOException {
    collector.send(FrameType.REQUESTS, encoder.finish(), timeoutMillis);
  }
}
