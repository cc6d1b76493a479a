package org.fedometer.profiles.stack.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;

/** Finds ports of the loopback interface that nobody listens on. Stateless. */
public final class Ports {
  /** How long {@link #awaitFree} waits. */
  public static final Duration FREE_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration POLL = Duration.ofMillis(100);

  private Ports() {}

  /** A port that was free a moment ago; whoever binds it must be ready to lose the race. */
  public static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return socket.getLocalPort();
    }
  }

  /**
   * Whether this process could listen on it just now.
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

  /** Waits a while: connections of others come from ports like this one, and go again. */
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
