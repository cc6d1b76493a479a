package org.fedometer.profiles.stack.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;

/** Finds unused ports of the loopback interface. Stateless. */
public final class Ports {
  /** Longest wait of {@link #awaitFree}. */
  public static final Duration FREE_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration POLL = Duration.ofMillis(100);

  private Ports() {}

  /** Returns a port that was free a moment ago; the caller must handle a lost race for it. */
  public static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return socket.getLocalPort();
    }
  }

  /**
   * Returns whether this process could listen on a port just now.
   *
   * @param port 1 to 65535
   */
  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // Tomcat and PostgreSQL set it too: a port in TIME_WAIT is free for them.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Waits for a limited time, because connections of others use such ports temporarily. */
  public static boolean awaitFree(int port) throws InterruptedException {
    long deadline = System.nanoTime() + FREE_TIMEOUT.toNanos();
    while (!isFree(port)) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.sleep(POLL.toMillis());
    }
    return true;
  }
}
