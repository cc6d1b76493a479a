package org.fedometer.wire.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A socket whose reads can resume after a read timeout. TLS needs this: in Java 8u261 to 8u272 and
 * Java 11 to 14, TLS closes a connection for good when a read times out (JDK-8239798). It can also
 * track until when the connection was certainly up. One thread reads.
 */
public final class ResumableReadSocket extends Socket {
  private volatile TimeoutCheck timeoutCheck;
  private volatile boolean tracksLiveness;
  private volatile long lastAliveNanos = System.nanoTime();

  /** Check after each read timeout. */
  public interface TimeoutCheck {
    /**
     * @throws IOException to end the read instead of resuming it
     */
    void run() throws IOException;
  }

  /** Makes reads resume after a timeout from now on, unless the check throws. */
  public void resumeReadsAfterTimeout(TimeoutCheck check) {
    timeoutCheck = check;
  }

  /** Makes reads track until when the connection was up, from now on. */
  void trackLiveness() {
    tracksLiveness = true;
  }

  /**
   * Returns the newest moment that certainly precedes the arrival of the peer's end of stream. The
   * return of a read proves nothing: the thread may have been paused since.
   */
  long lastAliveNanos() {
    return lastAliveNanos;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new FilterInputStream(super.getInputStream()) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        while (true) {
          long beganNanos = System.nanoTime();
          // The end of stream follows all bytes: if no bytes were available, it had not arrived.
          boolean hadCome = tracksLiveness && in.available() > 0;
          try {
            int count = in.read(target, offset, length);
            if (count > 0 && !hadCome) {
              lastAliveNanos = beganNanos;
            }
            return count;
          } catch (SocketTimeoutException e) {
            lastAliveNanos = beganNanos;
            TimeoutCheck atTimeout = timeoutCheck;
            if (atTimeout == null) {
              throw e;
            }
            atTimeout.run();
          }
        }
      }
    };
  }
}
