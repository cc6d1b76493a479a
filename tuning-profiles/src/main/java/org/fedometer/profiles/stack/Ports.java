package org.fedometer.profiles.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Finds ports of the loopback interface that nobody listens on. */
final class Ports {

  private Ports() {}

  /** A port that was free a moment ago; whoever binds it must be ready to lose the race. */
  static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      return socket.getLocalPort();
    }
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // Tomcat and PostgreSQL set it too: a port in TIME_WAIT is free for them.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
