package org.fedometer.wire.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A socket whose reads may be told to go on after a read timeout. Under TLS they have to: with its
 * own TLS, Java 8u261 to 8u272 and Java 11 to 14 give a connection up for good when a read times
 * out (JDK-8239798). It may also tell until when the connection certainly stood. One thread reads.
 */
public final class ResumableReadSocket extends Socket {
  private volatile TimeoutCheck timeoutCheck;
  private volatile boolean tracksLiveness;
  private volatile long lastAliveNanos = System.nanoTime();

  /** What is to be looked at after each read timeout. */
  public interface TimeoutCheck {
    /** A read ends with what this throws, instead of going on. */
    void run() throws IOException;
  }

  /** From now on, reads go on after a timeout, unless the check throws. */
  public void resumeReadsAfterTimeout(TimeoutCheck check) {
    timeoutCheck = check;
  }

  /** From now on, reads tell until when the connection stood. */
  void trackLiveness() {
    tracksLiveness = true;
  }

  /**
   * The newest moment that is proven to come before the other side's end of the connection arrived
   * here. When a read returns proves nothing: the thread may have been paused since.
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
          // An end comes behind all bytes: it was not there if they were not.
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
