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
public final class PatientSocket extends Socket {
  private volatile Check check;
  private volatile boolean watched;
  private volatile long stoodNanos = System.nanoTime();

  /** What is to be looked at after each read timeout. */
  public interface Check {
    /** A read ends with what this throws, instead of going on. */
    void run() throws IOException;
  }

  /** From now on, reads go on after a timeout, unless the check throws. */
  public void goOnAfterTimeouts(Check atTimeout) {
    check = atTimeout;
  }

  /** From now on, reads tell until when the connection stood. */
  void watch() {
    watched = true;
  }

  /**
   * The newest moment that is proven to come before the other side's end of the connection arrived
   * here. When a read returns proves nothing: the thread may have been paused since.
   */
  long stoodNanos() {
    return stoodNanos;
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
          boolean hadCome = watched && in.available() > 0;
          try {
            int count = in.read(target, offset, length);
            if (count > 0 && !hadCome) {
              stoodNanos = beganNanos;
            }
            return count;
          } catch (SocketTimeoutException e) {
            stoodNanos = beganNanos;
            Check atTimeout = check;
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
