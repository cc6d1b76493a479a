package org.fedometer.benchmarks.log4j2;

import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Log4j2 2.8.2's own socket server with its bridge for JSON, in its own process with no more than
 * that release in it. On no class path of ours, hence called by name.
 */
final class TcpSocketServerHost {
  private static final String SERVER = "org.apache.logging.log4j.core.net.server.TcpSocketServer";
  private static final String BRIDGE =
      "org.apache.logging.log4j.core.net.server.JsonInputStreamLogEventBridge";
  private static final int BACKLOG = 50;

  private TcpSocketServerHost() {}

  /** Prints the port; ends when its standard input does. */
  public static void main(String[] arguments) throws Exception {
    ServerSocket socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    Object bridge = Class.forName(BRIDGE).getConstructor().newInstance();
    Runnable server =
        (Runnable)
            Class.forName(SERVER)
                .getConstructor(
                    int.class,
                    Class.forName("org.apache.logging.log4j.core.net.server.LogEventBridge"),
                    ServerSocket.class)
                .newInstance(socket.getLocalPort(), bridge, socket);
    Thread thread = new Thread(server, "server");
    thread.setDaemon(true);
    thread.start();
    System.out.println("port " + socket.getLocalPort());
    while (System.in.read() >= 0) {
      // Until the parent closes it, or ends.
    }
  }
}
